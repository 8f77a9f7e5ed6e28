import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/actor/actor.js';
import { InstantType } from '#kernel/db/orm.js';

/**
 * A link with which somebody signs in at a provider. `stateHash`, `nonceHash` and `verifier` (sealed) belong to the
 * latest attempt: they bind the provider's redirect to it, to the browser that began it, and to the code.
 */
export const ProviderAuthorizationEntity = defineEntity({
  name: 'ProviderAuthorization',
  tableName: 'provider_authorizations',
  properties: {
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    linkHash: p.blob().$type<Buffer>(),
    connectionId: p.uuid().nullable(),
    plugin: p.text(),
    name: p.text().nullable(),
    settings: p.json<Readonly<Record<string, unknown>>>(),
    requestedBy: p.json<Actor>(),
    stateHash: p.blob().$type<Buffer>().nullable(),
    nonceHash: p.blob().$type<Buffer>().nullable(),
    verifier: p.text().nullable(),
    createdAt: p.type(InstantType).defaultRaw('now()'),
    expiresAt: p.type(InstantType),
  },
  indexes: [{ name: 'provider_authorizations_age', properties: ['expiresAt'] }],
  uniques: [{ name: 'provider_authorizations_link', properties: ['workspaceId', 'linkHash'] }],
});

/** A row of {@link ProviderAuthorizationEntity}. */
export type ProviderAuthorization = InferEntity<typeof ProviderAuthorizationEntity>;
