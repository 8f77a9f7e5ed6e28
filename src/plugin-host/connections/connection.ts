import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import type { Instant } from '#domain/time/instant.js';
import { InstantType } from '#kernel/db/orm.js';

/** How often a connection is checked, in milliseconds. */
export const CHECK_INTERVAL_MS = 15 * 60_000;
const MIN_RETRY_DELAY_MS = 30_000;
const MAX_RETRY_DELAY_MS = 6 * 3_600_000;

/** Returns `ms` plus or minus up to 20 %, so that connections that were made together are not checked together. */
export function withJitter(ms: number, random: () => number = Math.random): number {
  return Math.round(ms * (0.8 + 0.4 * random()));
}

/** Returns the delay after a number of consecutive failures, in milliseconds: 30 s, doubled each time, at most 6 h. */
export function computeCheckRetryDelayMs(failures: number): number {
  return Math.min(MIN_RETRY_DELAY_MS * 2 ** Math.min(failures, 20), MAX_RETRY_DELAY_MS);
}

/**
 * The stored state of a connection. `testing`: it is being made and not visible yet. `disconnected`: the workspace has
 * removed it, but not yet the provider. `reconnect`: its values do not fit the plugin any more, so nothing is called until
 * somebody connects again; deliveries wait. A connection whose plugin the plan does not include is presented as `locked`,
 * which is derived from the plan and not stored.
 */
export type ConnectionState = 'testing' | 'connected' | 'degraded' | 'reconnect' | 'disconnected';

/** Sealed texts by field name. */
export type SealedFields = Readonly<Record<string, string>>;

/** A stored connection of a workspace to a provider, with sealed secrets. */
export interface Connection {
  readonly workspaceId: string;
  readonly id: string;
  /** ID of the plugin. */
  readonly plugin: string;
  /** Empty for a plugin that allows one connection, else the name in lower case: unique among those of the plugin. */
  readonly slot: string;
  /** Version of the plugin that wrote settings and credentials. */
  readonly pluginVersion: string;
  /** Display name. */
  readonly name: string;
  /** As the user sent them, without defaults. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly credentials: SealedFields;
  /** `token`: the unguessable part of the webhook URL. `secret`: the signing secret. */
  readonly webhookSecrets: SealedFields;
  /** `access_token` and `refresh_token` of a connection by OAuth 2.0; null if credentials were pasted. */
  readonly tokens: SealedFields | null;
  /** When the access token expires; null if it is unknown. */
  readonly tokensExpireAt: Instant | null;
  readonly state: ConnectionState;
  /** Whether the webhook at the provider is active; null if the plugin has none or it is unknown. */
  readonly webhookActive: boolean | null;
  /** Consecutive failures. */
  readonly failures: number;
  /** Readable message without secrets. */
  readonly lastError: string | null;
  readonly lastEventAt: Instant | null;
  readonly lastCheckedAt: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** Returns whether a connection is in use: connected or degraded, but neither pending nor disconnected. */
export function isActive({ state }: Pick<Connection, 'state'>): boolean {
  return state === 'connected' || state === 'degraded';
}

/** Returns whether a connection was made and not ended: it is active, or has to be made again. */
export function isEstablished(connection: Pick<Connection, 'state'>): boolean {
  return isActive(connection) || connection.state === 'reconnect';
}

/** A connection of a workspace to a provider, with sealed secrets. */
export const ConnectionEntity = defineEntity({
  name: 'Connection',
  tableName: 'connections',
  properties: {
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    plugin: p.text(),
    slot: p.text().default(''),
    pluginVersion: p.text().default('0.0.0'),
    name: p.text(),
    settings: p.json<Readonly<Record<string, unknown>>>(),
    credentials: p.json<SealedFields>(),
    webhookSecrets: p.json<SealedFields>(),
    webhookTokenHash: p.blob().lazy(),
    tokens: p.json<SealedFields>().nullable(),
    tokensExpireAt: p.type(InstantType).nullable(),
    tokensLeasedUntil: p.type(InstantType).nullable().lazy(),
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
      expression: "state IN ('testing', 'connected', 'degraded', 'reconnect', 'disconnected')",
    },
  ],
  indexes: [{ name: 'connections_due', properties: ['dueAt'] }],
  uniques: [
    {
      name: 'connections_plugin',
      properties: ['workspaceId', 'plugin', 'slot'],
      where: { state: { $ne: 'disconnected' } },
    },
    { name: 'connections_webhook_token_hash', properties: ['workspaceId', 'webhookTokenHash'] },
  ],
});

/** A row of {@link ConnectionEntity}. */
export type StoredConnection = InferEntity<typeof ConnectionEntity>;
