import type { HubContext } from '#sdk/hub-context.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { EnabledPlugin, ReadyPlugin } from '../host/plugin.registry.js';

/** Identifies one delivery to one plugin, for which a hub context is created. */
export interface DeliveryScope {
  readonly workspaceId: string;
  readonly plugin: ReadyPlugin;
  /** Null for a plugin without a connection. */
  readonly connectionId: string | null;
  readonly signal: AbortSignal;
}

/** The hub context of a delivery, and the callback for its outcome. */
export interface DeliveryContext {
  readonly hub: HubContext;
  /** Records the outcome on the connection; without an error, a success. Never rejects. */
  readonly reportOutcome: (error?: unknown) => Promise<void>;
}

/** Port through which the host uses connections. */
export abstract class DeliveryContextFactory {
  /** Creates the hub context of a delivery; returns undefined when the connection no longer exists. */
  abstract create(scope: DeliveryScope): Promise<DeliveryContext | undefined>;

  /** Creates the hub context of a user's call, with the active connection of the workspace if it has one. */
  abstract createForCall(scope: Omit<DeliveryScope, 'connectionId'>): Promise<HubContext>;

  /** Returns the ID of the workspace's active connection to a plugin; undefined when there is none. */
  abstract findActiveConnectionId(tx: Tx, plugin: string): Promise<string | undefined>;
}

/** Returns whether a plugin needs a connection: it has credentials, webhooks or a connection lifecycle. */
export function requiresConnection({ manifest, container }: EnabledPlugin): boolean {
  const hasWebhooks = Object.keys(manifest.inbound ?? {}).length > 0;
  return manifest.credentials !== undefined || hasWebhooks || (container?.handlers.lifecycles.length ?? 0) > 0;
}
