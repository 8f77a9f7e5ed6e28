import type { Instant } from '#domain/time/instant.js';

/**
 * What is kept as the state of a connection. `testing` is one that is being made and that nobody sees yet;
 * `disconnected` is gone for the workspace, while the provider still has to be told. What a plan no longer includes is
 * shown as `locked`, which is kept nowhere: the plan decides.
 */
export type ConnectionState = 'testing' | 'connected' | 'degraded' | 'disconnected';

/** Sealed texts by the name of their field. */
export type SealedFields = Readonly<Record<string, string>>;

/** A connection of a workspace to a provider, as it is kept: its secrets are sealed. */
export interface Connection {
  readonly workspaceId: string;
  readonly id: string;
  /** Id of the plugin. */
  readonly plugin: string;
  /** The name that people gave it. */
  readonly name: string;
  /** As they were given, defaults left out. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly credentials: SealedFields;
  /** `token`: the part of the webhook address that nobody can guess. `secret`: what signatures are made with. */
  readonly webhookSecrets: SealedFields;
  readonly state: ConnectionState;
  /** Whether the provider reports to us; null when the plugin has no webhook, or nobody knows yet. */
  readonly webhookActive: boolean | null;
  /** Failures in a row. */
  readonly failures: number;
  /** A sentence for people, without secrets. */
  readonly lastError: string | null;
  readonly lastEventAt: Instant | null;
  readonly lastCheckedAt: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** A connection that is used: what has been disconnected and what is not connected yet is none. */
export function isActive({ state }: Pick<Connection, 'state'>): boolean {
  return state === 'connected' || state === 'degraded';
}
