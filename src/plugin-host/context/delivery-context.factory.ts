import type { HubContext } from '#sdk/hub-context.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { EnabledPlugin, ReadyPlugin } from '../host/plugin.registry.js';

/** For what a hub is made: one delivery to one plugin. */
export interface DeliveryScope {
  readonly workspaceId: string;
  readonly plugin: ReadyPlugin;
  /** Null for a plugin without a connection. */
  readonly connectionId: string | null;
  readonly signal: AbortSignal;
}

/** The hub of a delivery, and where to tell how it ended. */
export interface DeliveryContext {
  readonly hub: HubContext;
  /** Tells the connection; without an error it went well. Never rejects. */
  readonly reportOutcome: (error?: unknown) => Promise<void>;
}

/** What the host has to know of connections. Whoever keeps them implements it. */
export abstract class DeliveryContextFactory {
  /** The hub of a delivery; undefined when the connection is gone. */
  abstract create(scope: DeliveryScope): Promise<DeliveryContext | undefined>;

  /** The hub of a call by a user: for the connection that the workspace has, or without one. */
  abstract createForCall(scope: Omit<DeliveryScope, 'connectionId'>): Promise<HubContext>;

  /** Id of the connection that a workspace uses a plugin by; undefined when it has none. */
  abstract findActiveConnectionId(tx: Tx, plugin: string): Promise<string | undefined>;
}

/** Whether a plugin works by connections: one with credentials or webhooks does nothing without one. */
export function requiresConnection({ manifest, container }: EnabledPlugin): boolean {
  const hasWebhooks = Object.keys(manifest.inbound ?? {}).length > 0;
  return manifest.credentials !== undefined || hasWebhooks || (container?.handlers.lifecycles.length ?? 0) > 0;
}
