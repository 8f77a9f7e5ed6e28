import { defineEntity, type InferEntity } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/actor/actor.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { InstantType } from '#kernel/db/orm.js';

/** One version of a section of the workspace's facts. Versions are only added. */
export const WorkspaceFactEntity = defineEntity({
  name: 'WorkspaceFact',
  tableName: 'workspace_facts',
  properties: p => ({
    workspaceId: p.uuid().primary(),
    section: p.text().primary(),
    version: p.integer().primary(),
    id: p.uuid(),
    content: p.json<JsonValue>(),
    source: p.text(),
    author: p.json<Actor>().nullable(),
    note: p.text().nullable(),
    subject: p.text().nullable(),
    confidence: p.double().$type<number>(),
    sourcePath: p.text().nullable(),
    createdAt: p.type(InstantType).defaultRaw('clock_timestamp()'),
  }),
  checks: [{ name: 'workspace_facts_version_check', property: 'version', expression: 'version > 0' }],
});

/** A row of {@link WorkspaceFactEntity}. */
export type WorkspaceFact = InferEntity<typeof WorkspaceFactEntity>;
