import { defineEntity, type InferEntity } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/actor/actor.js';
import { InstantType } from '#kernel/db/orm.js';
import type { TrustContent } from '../claims/rules.cache.js';

/** One version of the trust settings of a workspace. Versions are only added. */
export const StoredTrustVersionEntity = defineEntity({
  name: 'StoredTrustVersion',
  tableName: 'source_trust_versions',
  properties: p => ({
    workspaceId: p.uuid().primary(),
    version: p.integer().primary(),
    content: p.json<TrustContent>(),
    note: p.text().nullable(),
    author: p.json<Actor>().nullable(),
    createdAt: p.type(InstantType).defaultRaw('clock_timestamp()'),
  }),
  checks: [{ name: 'source_trust_versions_version_check', property: 'version', expression: 'version > 0' }],
});

/** A row of {@link StoredTrustVersionEntity}. */
export type StoredTrustVersion = InferEntity<typeof StoredTrustVersionEntity>;

/** Progress of the claim rebuild after the newest change of trust; one row per workspace. */
export const ClaimRebuildEntity = defineEntity({
  name: 'ClaimRebuild',
  tableName: 'claim_rebuilds',
  properties: p => ({
    workspaceId: p.uuid().primary(),
    version: p.integer(),
    cursor: p.uuid().nullable(),
    entities: p.integer().default(0),
    claims: p.integer().default(0),
    changed: p.integer().default(0),
    dueAt: p.type(InstantType),
    createdAt: p.type(InstantType).defaultRaw('clock_timestamp()'),
    finishedAt: p.type(InstantType).nullable(),
  }),
});

/** A row of {@link ClaimRebuildEntity}. */
export type ClaimRebuild = InferEntity<typeof ClaimRebuildEntity>;
