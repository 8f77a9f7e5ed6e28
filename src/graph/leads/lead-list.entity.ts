import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { InstantType } from '#kernel/db/orm.js';

/** A lead list. */
export const LeadListEntity = defineEntity({
  name: 'LeadList',
  tableName: 'lead_lists',
  properties: {
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    name: p.text(),
    source: p.text(),
    columns: p.json<string[]>().defaultRaw(`'[]'`),
    externalId: p.text().nullable(),
    createdAt: p.type(InstantType).defaultRaw('now()'),
    updatedAt: p.type(InstantType).defaultRaw('now()'),
    leadCount: p
      .integer()
      .formula(
        ({ workspaceId, id }) =>
          `(SELECT count(*) FROM leads l WHERE l.workspace_id = ${workspaceId} AND l.list_id = ${id})`,
      )
      .lazy(),
  },
  indexes: [{ name: 'lead_lists_name', properties: ['workspaceId', 'name'], where: { name: { $ne: null } } }],
  uniques: [
    {
      name: 'lead_lists_external_id',
      properties: ['workspaceId', 'name', 'externalId'],
      where: { externalId: { $ne: null } },
    },
  ],
});

/** A row of {@link LeadListEntity}. */
export type StoredLeadList = InferEntity<typeof LeadListEntity>;
