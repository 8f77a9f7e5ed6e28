import { defineEntity, type InferEntity } from '@mikro-orm/postgresql';
import { InstantType } from '#kernel/db/instant.type.js';
import type { Scope } from './caller.js';

/**
 * Where a key was made: over the REST interface, by an operator at the database, or by somebody who let a program or
 * our command line in.
 */
export type KeyOrigin = 'api' | 'admin' | 'oauth' | 'cli';

/** An API key as the database keeps it: never the key itself. */
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
    createdAt: p.type(InstantType),
    expiresAt: p.type(InstantType).nullable(),
    revokedAt: p.type(InstantType).nullable(),
    lastUsedAt: p.type(InstantType).nullable(),
    lastUsedClient: p.text().nullable(),
  }),
});

/** One row of {@link ApiKeyEntity}. */
export type ApiKey = InferEntity<typeof ApiKeyEntity>;
