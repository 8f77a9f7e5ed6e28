import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import type { ActorKind } from '#domain/actor/actor.js';
import { InstantType } from '#kernel/db/orm.js';

/** Lists that views are saved for. */
export const VIEW_RESOURCES = ['people', 'companies', 'leads'] as const;

/** One of {@link VIEW_RESOURCES}. */
export type ViewResource = (typeof VIEW_RESOURCES)[number];

/** Parameters of a list that a view sets. */
export interface ViewQuery {
  readonly search?: string;
  readonly filter?: string;
  readonly sort?: string;
  readonly fields?: string;
  /** Lead list, for views of leads. */
  readonly list_id?: string;
}

/** A saved view. */
export const SavedViewEntity = defineEntity({
  name: 'SavedView',
  tableName: 'saved_views',
  properties: {
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    resource: p.text().$type<ViewResource>(),
    name: p.text(),
    query: p.json<ViewQuery>(),
    isShared: p.boolean(),
    ownerKind: p.text().$type<ActorKind>(),
    ownerId: p.text(),
    createdAt: p.type(InstantType).defaultRaw('now()'),
    updatedAt: p.type(InstantType).defaultRaw('now()'),
  },
  checks: [
    {
      name: 'saved_views_resource_check',
      property: 'resource',
      expression: `resource = ANY (ARRAY['people'::text, 'companies'::text, 'leads'::text])`,
    },
  ],
  uniques: [
    { name: 'saved_views_shared_name', properties: ['workspaceId', 'resource', 'name'], where: 'is_shared' },
    {
      name: 'saved_views_own_name',
      properties: ['workspaceId', 'ownerKind', 'ownerId', 'resource', 'name'],
      where: 'NOT is_shared',
    },
  ],
});

/** A row of {@link SavedViewEntity}. */
export type StoredView = InferEntity<typeof SavedViewEntity>;
