import { LockMode } from '@mikro-orm/core';
import { findViolatedConstraint } from '#kernel/db/database-errors.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { type Connection, ConnectionEntity, type StoredConnection } from './connection.js';

const COLUMNS = `workspace_id AS "workspaceId", id, plugin, slot, plugin_version AS "pluginVersion", name, settings, credentials, webhook_secrets AS "webhookSecrets",
  tokens, tokens_expire_at AS "tokensExpireAt", state,
  webhook_active AS "webhookActive", failures, last_error AS "lastError", last_event_at AS "lastEventAt",
  last_checked_at AS "lastCheckedAt", created_at AS "createdAt", updated_at AS "updatedAt"`;

const ACTIVE_STATES = ['connected', 'degraded'] as const;
const ESTABLISHED_STATES = [...ACTIVE_STATES, 'reconnect'] as const;
/** Delay before the subscription of a disconnected connection is removed at the provider. */
const CLEAN_UP_DELAY_MS = 30_000;

/** Reads the active connections of the workspace, or of one plugin. */
export function readActiveConnections(tx: Tx, plugin?: string): Promise<Connection[]> {
  return tx.query<Connection>(
    `SELECT ${COLUMNS} FROM connections
     WHERE workspace_id = $1 AND state IN ('connected', 'degraded') AND ($2::text IS NULL OR plugin = $2) ORDER BY id`,
    [tx.workspace, plugin ?? null],
  );
}

/** Reads the connections of the workspace, or of one plugin, that are active or have to be made again. */
export function readEstablishedConnections(tx: Tx, plugin?: string): Promise<Connection[]> {
  return tx.query<Connection>(
    `SELECT ${COLUMNS} FROM connections
     WHERE workspace_id = $1 AND state = ANY ($3) AND ($2::text IS NULL OR plugin = $2) ORDER BY id`,
    [tx.workspace, plugin ?? null, ESTABLISHED_STATES],
  );
}

/** Reads the IDs of the plugins to which the workspace has an active connection. */
export async function readConnectedPlugins(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ plugin: string }>(
    `SELECT DISTINCT plugin FROM connections WHERE workspace_id = $1 AND state IN ('connected', 'degraded')`,
    [tx.workspace],
  );
  return rows.map(({ plugin }) => plugin);
}

/** Reads and locks the active connection of a plugin until the transaction ends. */
export async function lockActiveConnection(tx: Tx, plugin: string): Promise<Connection | undefined> {
  const em = await tx.entityManager();
  const where = { workspaceId: tx.workspace, plugin, state: { $in: [...ACTIVE_STATES] } };
  return toConnection(await em.findOne(ConnectionEntity, where, { lockMode: LockMode.PESSIMISTIC_WRITE }));
}

/** Replaces the settings of a connection, at the commit of the transaction. */
export function saveConnectionSettings(tx: Tx, id: string, settings: Readonly<Record<string, unknown>>): void {
  tx.deferToCommit('UPDATE connections SET settings = $3, updated_at = now() WHERE workspace_id = $1 AND id = $2', [
    tx.workspace,
    id,
    settings,
  ]);
}

/** Reads a connection by ID, in any state. */
export async function readConnection(tx: Tx, id: string): Promise<Connection | undefined> {
  const em = await tx.entityManager();
  return toConnection(await em.findOne(ConnectionEntity, { workspaceId: tx.workspace, id }));
}

/** Reads the connection in a slot of a plugin, in any state but `disconnected`. */
export async function readConnectionInSlot(tx: Tx, plugin: string, slot: string): Promise<Connection | undefined> {
  const em = await tx.entityManager();
  const where = { workspaceId: tx.workspace, plugin, slot, state: { $ne: 'disconnected' as const } };
  return toConnection(await em.findOne(ConnectionEntity, where));
}

/** Reads the connection of a webhook token by its hash, with the plan of the workspace; ignores disconnected ones. */
export async function readByWebhookToken(
  tx: Tx,
  hash: Buffer,
): Promise<(Connection & { readonly plan: string }) | undefined> {
  const found = await tx.query<Connection & { readonly plan: string }>(
    `SELECT ${COLUMNS}, (SELECT plan FROM workspaces WHERE id = $1) AS plan FROM connections
     WHERE workspace_id = $1 AND webhook_token_hash = $2 AND state <> 'disconnected'`,
    [tx.workspace, hash],
  );
  return found[0];
}

/** Inserts a connection. @returns false if its slot is taken by one that is not disconnected */
export async function insertConnection(tx: Tx, connection: Connection, tokenHash: Buffer): Promise<boolean> {
  const { id, plugin, slot, pluginVersion, name, settings, credentials, webhookSecrets, state } = connection;
  const inserted = await tx.query(
    `INSERT INTO connections (workspace_id, id, plugin, slot, plugin_version, name, settings, credentials, webhook_secrets, webhook_token_hash, state, due_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + interval '1 minute')
     ON CONFLICT (workspace_id, plugin, slot) WHERE state <> 'disconnected' DO NOTHING RETURNING id`,
    [tx.workspace, id, plugin, slot, pluginVersion, name, settings, credentials, webhookSecrets, tokenHash, state],
  );
  return inserted.length > 0;
}

/**
 * Saves a connection as connected.
 * @param connection without tokens, those that are stored stay: they may have been refreshed meanwhile
 * @returns the saved row; undefined if it was disconnected meanwhile
 * @throws HubError `connection_name_taken` if another connection to the provider has the name
 */
export async function saveConnected(
  tx: Tx,
  connection: Omit<Connection, 'tokens'> & Partial<Pick<Connection, 'tokens'>>,
  dueInMs: number,
): Promise<Connection | undefined> {
  const em = await tx.entityManager();
  const where = { workspaceId: tx.workspace, id: connection.id, state: { $ne: 'disconnected' as const } };
  const saved = await em.findOne(ConnectionEntity, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!saved) return undefined;
  const { pluginVersion, name, slot, settings, credentials, webhookActive } = connection;
  const { tokens, tokensExpireAt } = connection;
  const now = await tx.now();
  em.assign(saved, {
    pluginVersion,
    name,
    slot,
    settings,
    credentials,
    ...(tokens !== undefined && { tokens, tokensExpireAt }),
    webhookActive,
    state: 'connected',
    failures: 0,
    lastError: null,
    lastCheckedAt: now,
    updatedAt: now,
    dueAt: now + dueInMs * 1_000,
  });
  await em.flush().catch((error: unknown) => {
    // Another connection has taken the name since the caller looked it up.
    throw findViolatedConstraint(error) === 'connections_plugin' ? new HubError('connection_name_taken') : error;
  });
  return toConnection(saved);
}

/** Disconnects a connection that is active or has to be made again: from the commit on it neither receives nor sends. */
export async function markDisconnected(tx: Tx, id: string): Promise<Connection | undefined> {
  const em = await tx.entityManager();
  const where = { workspaceId: tx.workspace, id, state: { $in: [...ESTABLISHED_STATES] } };
  const connection = await em.findOne(ConnectionEntity, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!connection) return undefined;
  const now = await tx.now();
  em.assign(connection, {
    state: 'disconnected',
    failures: 0,
    updatedAt: now,
    dueAt: now + CLEAN_UP_DELAY_MS * 1_000,
  });
  await em.flush();
  return toConnection(connection);
}

/**
 * Abandons a pending connection, so that another one can be made. A subscription that may exist at the provider is
 * removed later, as after a disconnection.
 */
export function markAbandoned(tx: Tx, id: string): void {
  tx.deferToCommit(
    `UPDATE connections SET state = 'disconnected', failures = 0, updated_at = now(),
       due_at = now() + interval '30 seconds'
     WHERE workspace_id = $1 AND id = $2 AND state = 'testing'`,
    [tx.workspace, id],
  );
}

/** Deletes a connection and its plugin's stored values, after the provider has been cleaned up. */
export function deleteConnection(tx: Tx, id: string): void {
  tx.deferToCommit('DELETE FROM plugin_store WHERE workspace_id = $1 AND connection_id = $2', [tx.workspace, id]);
  tx.deferToCommit('DELETE FROM connections WHERE workspace_id = $1 AND id = $2', [tx.workspace, id]);
}

/** The outcome of a check or of a handler call, for the state of the connection. */
export interface CheckOutcome {
  readonly id: string;
  /** Null: success. */
  readonly error: string | null;
  /** Undefined keeps the stored value. */
  readonly webhookActive?: boolean | null | undefined;
  /** Delay until the next check, in milliseconds; undefined keeps the schedule, as after a handler call. */
  readonly dueInMs?: number;
}

/**
 * Saves an outcome. A connection is degraded after `degradedAfter` consecutive failures, and connected after a success.
 */
export function saveCheckOutcome(
  tx: Tx,
  { id, error, webhookActive, dueInMs }: CheckOutcome,
  degradedAfter: number,
): void {
  tx.deferToCommit(
    `UPDATE connections SET
       failures = CASE WHEN $3::text IS NULL THEN 0 ELSE failures + 1 END,
       last_error = $3,
       webhook_active = CASE WHEN $4 THEN $5 ELSE webhook_active END,
       state = CASE WHEN state = 'disconnected' THEN state WHEN $3 IS NULL THEN 'connected'
                    WHEN failures + 1 >= $6 THEN 'degraded' ELSE state END,
       last_checked_at = CASE WHEN $7::float8 IS NULL THEN last_checked_at ELSE now() END,
       due_at = coalesce(now() + make_interval(secs => $7), due_at), updated_at = now()
     WHERE workspace_id = $1 AND id = $2 AND state NOT IN ('testing', 'reconnect')`,
    [
      tx.workspace,
      id,
      error,
      webhookActive !== undefined,
      webhookActive ?? null,
      degradedAfter,
      dueInMs === undefined ? null : dueInMs / 1000,
    ],
  );
}

/**
 * Saves the values of a connection as the running version of the plugin has them, at the commit of the transaction,
 * unless somebody has changed them since.
 * @param from version that wrote the values before
 */
export function saveUpgraded(tx: Tx, upgraded: Connection, from: string): void {
  const { id, pluginVersion, settings, credentials, slot } = upgraded;
  tx.deferToCommit(
    `UPDATE connections SET plugin_version = $4, settings = $5, credentials = $6, slot = $7, updated_at = now(),
       last_error = CASE WHEN state = 'reconnect' THEN NULL ELSE last_error END,
       state = CASE WHEN state = 'reconnect' THEN 'connected' ELSE state END
     WHERE workspace_id = $1 AND id = $2 AND plugin_version = $3`,
    [tx.workspace, id, from, pluginVersion, settings, credentials, slot],
  );
}

/** Marks a connection whose values do not fit the plugin, at the commit, unless somebody has changed them since. */
export function markReconnect(tx: Tx, id: string, from: string, reason: string): void {
  tx.deferToCommit(
    `UPDATE connections SET state = 'reconnect', last_error = $4, updated_at = now()
     WHERE workspace_id = $1 AND id = $2 AND plugin_version = $3 AND state IN ('connected', 'degraded', 'reconnect')`,
    [tx.workspace, id, from, reason],
  );
}

/** Claims a connection that is due for `leaseMs`; returns undefined if another process has claimed it. */
export async function claimDueConnection(
  tx: Tx,
  id: string,
  leaseMs: number,
): Promise<(Connection & { plan: string }) | undefined> {
  const claimed = await tx.query<Connection & { plan: string }>(
    `UPDATE connections SET due_at = now() + make_interval(secs => $3)
     WHERE workspace_id = $1 AND id = $2 AND due_at <= now()
     RETURNING ${COLUMNS}, (SELECT plan FROM workspaces WHERE workspaces.id = $1) AS plan`,
    [tx.workspace, id, leaseMs / 1000],
  );
  return claimed[0];
}

/** Copies a row, so that it does not hold the transaction's entity manager. */
function toConnection(row: StoredConnection | null): Connection | undefined {
  if (!row) return undefined;
  const { workspaceId, id, plugin, slot, pluginVersion, name, settings, credentials, webhookSecrets, state } = row;
  return {
    workspaceId,
    id,
    plugin,
    slot,
    pluginVersion,
    name,
    settings,
    credentials,
    webhookSecrets,
    state,
    failures: row.failures,
    tokens: row.tokens ?? null,
    tokensExpireAt: row.tokensExpireAt ?? null,
    webhookActive: row.webhookActive ?? null,
    lastError: row.lastError ?? null,
    lastEventAt: row.lastEventAt ?? null,
    lastCheckedAt: row.lastCheckedAt ?? null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
