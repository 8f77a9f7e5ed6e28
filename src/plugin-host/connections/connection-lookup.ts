import { validate as isUuid } from 'uuid';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { type Connection, isEstablished } from './connection.js';
import { readConnection, readEstablishedConnections } from './connections.queries.js';

/** Names a connection: by its ID, or by its plugin alone if the workspace has only one. */
export interface ConnectionRef {
  readonly plugin: string;
  readonly id?: string | undefined;
}

/**
 * Finds a connection that is active or has to be made again; undefined if the workspace has none.
 * @throws HubError `connection_not_found` for an unknown ID, `connection_required` if the ID is missing and there are
 *   several
 */
export async function findConnection(tx: Tx, { plugin, id }: ConnectionRef): Promise<Connection | undefined> {
  if (id !== undefined) {
    const found = isUuid(id) ? await readConnection(tx, id) : undefined;
    if (found?.plugin === plugin && isEstablished(found)) return found;
    throw new HubError('connection_not_found');
  }
  const all = await readEstablishedConnections(tx, plugin);
  if (all.length > 1) {
    const connections = all.map(({ id: each, name }) => ({ id: each, name }));
    throw new HubError('connection_required', {
      extra: { connections, connection_ids: all.map(({ id: each }) => each) },
    });
  }
  return all[0];
}

/** Finds a connection like {@link findConnection}. @throws HubError those, and `not_connected` */
export async function requireConnection(tx: Tx, ref: ConnectionRef): Promise<Connection> {
  const found = await findConnection(tx, ref);
  if (!found) throw new HubError('not_connected');
  return found;
}

/** Returns the slot of a connection of this name. */
export function toSlot({ multipleConnections = false }: PluginManifest, name: string): string {
  return multipleConnections ? name.trim().toLowerCase() : '';
}
