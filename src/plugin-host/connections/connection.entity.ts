import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { InstantType } from '#kernel/db/instant.type.js';
import type { ConnectionState, SealedFields } from './connection.js';

/** A connection of a workspace to a provider, with sealed secrets. */
export const ConnectionEntity = defineEntity({
  name: 'Connection',
  tableName: 'connections',
  properties: {
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    plugin: p.text(),
    name: p.text(),
    settings: p.json<Readonly<Record<string, unknown>>>(),
    credentials: p.json<SealedFields>(),
    webhookSecrets: p.json<SealedFields>(),
    webhookTokenHash: p.blob().lazy(),
    state: p.text().$type<ConnectionState>(),
    webhookActive: p.boolean().nullable(),
    failures: p.integer().default(0),
    lastError: p.text().nullable(),
    lastEventAt: p.type(InstantType).nullable(),
    lastCheckedAt: p.type(InstantType).nullable(),
    dueAt: p.type(InstantType).lazy(),
    createdAt: p.type(InstantType).defaultRaw('now()'),
    updatedAt: p.type(InstantType).defaultRaw('now()'),
  },
  checks: [
    {
      name: 'connections_state_check',
      property: 'state',
      expression: "state IN ('testing', 'connected', 'degraded', 'disconnected')",
    },
  ],
  indexes: [{ name: 'connections_due', properties: ['dueAt'] }],
  uniques: [
    { name: 'connections_plugin', properties: ['workspaceId', 'plugin'], where: { state: { $ne: 'disconnected' } } },
    { name: 'connections_webhook_token_hash', properties: ['workspaceId', 'webhookTokenHash'] },
  ],
});

/** A row of {@link ConnectionEntity}. */
export type StoredConnection = InferEntity<typeof ConnectionEntity>;
