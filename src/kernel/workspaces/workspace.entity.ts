import { defineEntity, type InferEntity } from '@mikro-orm/postgresql';
import { PLANS } from '#domain/plans/tiers.js';
import { InstantType } from '#kernel/db/orm.js';

/** A workspace: one tenant of the hub, with its plan. */
export const WorkspaceEntity = defineEntity({
  name: 'Workspace',
  tableName: 'workspaces',
  properties: p => ({
    id: p.uuid().primary(),
    name: p.text(),
    plan: p.enum(PLANS),
    createdAt: p.type(InstantType).defaultRaw('now()'),
  }),
  checks: [
    { name: 'workspaces_name_check', property: 'name', expression: 'length(name) >= 1 AND length(name) <= 200' },
  ],
});

/** A row of {@link WorkspaceEntity}. */
export type Workspace = InferEntity<typeof WorkspaceEntity>;
