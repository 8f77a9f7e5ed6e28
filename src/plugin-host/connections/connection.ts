import type { Instant } from '#domain/time/instant.js';

/**
 * The stored state of a connection. `testing`: it is being made and not visible yet. `disconnected`: the workspace has
 * removed it, but not yet the provider. A connection whose plugin the plan does not include is presented as `locked`,
 * which is derived from the plan and not stored.
 */
export type ConnectionState = 'testing' | 'connected' | 'degraded' | 'disconnected';

/** Sealed texts by field name. */
export type SealedFields = Readonly<Record<string, string>>;

/** A stored connection of a workspace to a provider, with sealed secrets. */
export interface Connection {
  readonly workspaceId: string;
  readonly id: string;
  /** ID of the plugin. */
  readonly plugin: string;
  /** Display name. */
  readonly name: string;
  /** As the user sent them, without defaults. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly credentials: SealedFields;
  /** `token`: the unguessable part of the webhook URL. `secret`: the signing secret. */
  readonly webhookSecrets: SealedFields;
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
