import type { HubContext } from '#sdk/hub-context.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { ExpectedPlugin, ReadyPlugin } from './plugin-catalogue.js';

/** For what a hub is made: one delivery to one plugin. */
export interface DeliveryWish {
  readonly workspaceId: string;
  readonly plugin: ReadyPlugin;
  /** Null for a plugin without a connection. */
  readonly connectionId: string | null;
  readonly signal: AbortSignal;
}

/** The hub of a delivery, and where to tell how it ended. */
export interface Delivery {
  readonly hub: HubContext;
  /** Tells the connection; without an error it went well. Never rejects. */
  readonly ended: (error?: unknown) => Promise<void>;
}

/** What the host has to know of connections. Whoever keeps them implements it. */
export abstract class DeliveryContexts {
  /** The hub of a delivery; undefined when the connection is gone. */
  abstract of(wish: DeliveryWish): Promise<Delivery | undefined>;

  /** The hub of a call by a user: for the connection that the workspace has, or without one. */
  abstract forCall(wish: Omit<DeliveryWish, 'connectionId'>): Promise<HubContext>;

  /** Id of the connection that a workspace uses a plugin by; undefined when it has none. */
  abstract liveConnection(tx: Tx, plugin: string): Promise<string | undefined>;
}

/** Whether a plugin works by connections: one with credentials or webhooks does nothing without one. */
export function needsConnection({ manifest, cell }: ExpectedPlugin): boolean {
  const hooked = Object.keys(manifest.inbound ?? {}).length > 0;
  return manifest.credentials !== undefined || hooked || (cell?.handlers.lifecycles.length ?? 0) > 0;
}
