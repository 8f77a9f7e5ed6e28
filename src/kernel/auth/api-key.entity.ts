import { defineEntity, type InferEntity } from '@mikro-orm/postgresql';
import { InstantType } from '#kernel/db/orm.js';
import type { ActorKind } from '#domain/actor/actor.js';
import type { Scope } from './caller.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { ApiKeyDto } from './api-keys.dto.js';

/**
 * How a key was created: over the REST API, with an admin command, by an OAuth client, or by a sign-in of the
 * `rapport` CLI.
 */
export type KeyOrigin = 'api' | 'admin' | 'oauth' | 'cli';

/** An API key as stored in the database, which holds its hash and never the key. */
export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: p => ({
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    name: p.text(),
    hash: p.blob(),
    prefix: p.text(),
    lastFour: p.text(),
    scopes: p.array().$type<Scope[]>(),
    origin: p.text().$type<KeyOrigin>(),
    createdByKind: p.text().$type<ActorKind>(),
    createdById: p.text(),
    createdAt: p.type(InstantType).defaultRaw('now()'),
    expiresAt: p.type(InstantType).nullable(),
    revokedAt: p.type(InstantType).nullable(),
    lastUsedAt: p.type(InstantType).nullable(),
    lastUsedClient: p.text().nullable(),
  }),
  indexes: [
    { name: 'api_keys_creator', properties: ['workspaceId', 'createdById'] },
    {
      name: 'api_keys_unrevoked',
      expression: 'CREATE INDEX api_keys_unrevoked ON api_keys (workspace_id, id) WHERE revoked_at IS NULL',
    },
  ],
  uniques: [{ name: 'api_keys_hash', properties: ['hash'] }],
  checks: [
    { name: 'api_keys_name_check', property: 'name', expression: 'length(name) >= 1 AND length(name) <= 200' },
    {
      name: 'api_keys_created_by_kind_check',
      property: 'createdByKind',
      expression: "created_by_kind IN ('key', 'person', 'oauth', 'operator')",
    },
  ],
});

/** A row of {@link ApiKeyEntity}. */
export type ApiKey = InferEntity<typeof ApiKeyEntity>;

/** Converts a key to its representation in lists, which contains no secret. */
export function toApiKeyDto(key: ApiKey): ApiKeyDto {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    last_four: key.lastFour,
    scopes: key.scopes,
    origin: key.origin,
    created_by: { kind: key.createdByKind, id: key.createdById },
    created_at: toIso(key.createdAt),
    expires_at: toOptionalIso(key.expiresAt),
    revoked_at: toOptionalIso(key.revokedAt),
    last_used_at: toOptionalIso(key.lastUsedAt),
    last_used_client: key.lastUsedClient ?? null,
  };
}

function toOptionalIso(instant: Instant | null | undefined): string | null {
  return instant == null ? null : toIso(instant);
}
