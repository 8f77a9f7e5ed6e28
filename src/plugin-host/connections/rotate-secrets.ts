import type { Tx } from '#kernel/db/transaction.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { toFileKeyPlace } from '#kernel/files/file-store.js';
import type { SecretBox } from '#kernel/secrets/secret-box.js';
import { toStoreSecretPlace } from '../store/plugin-store.js';
import { ConnectionVault } from './connection-vault.js';
import type { SealedFields } from './connection.js';

/** Progress of a rotation. */
export interface RotationProgress {
  /** Number of connections, plugin store values and files whose secrets were read. */
  readonly read: number;
  /** Number of those that were sealed under an older key and are resealed under the current one. */
  readonly resealed: number;
}

/** Options of a rotation. */
export interface RotationOptions {
  /** Decrypts everything and changes nothing. */
  readonly dryRun: boolean;
  /** Called after each batch. */
  readonly onProgress?: (soFar: RotationProgress) => void;
}

const BATCH_SIZE = 100;

interface ConnectionRow {
  readonly id: string;
  readonly credentials: SealedFields;
  readonly webhook_secrets: SealedFields;
  readonly tokens: SealedFields | null;
}

interface StoreRow {
  readonly plugin: string;
  readonly connection_id: string;
  readonly key: string;
  readonly value: string;
}

/**
 * Reseals every secret of a workspace under the first of SECRET_KEYS, 100 rows per transaction. Safe with live traffic,
 * because rows are locked while they are changed. Can be repeated: rows that are current already are left as they are.
 * @throws UnsealError at the first secret that no key opens; earlier batches stay committed
 */
export async function rotateWorkspaceSecrets(
  work: UnitOfWork,
  box: SecretBox,
  workspace: string,
  options: RotationOptions,
): Promise<RotationProgress> {
  const vault = new ConnectionVault(box);
  const connections = await runInBatches(work, workspace, options, { read: 0, resealed: 0 }, (tx, after) =>
    rotateConnections(tx, vault, options, after),
  );
  const values = await runInBatches(work, workspace, options, connections, (tx, after) =>
    rotateStore(tx, box, options, after),
  );
  return runInBatches(work, workspace, options, values, (tx, after) => rotateFileKeys(tx, box, options, after));
}

/** Progress of one batch. `last` is the key after which the next batch starts; undefined at the end. */
interface RotationBatch extends RotationProgress {
  readonly last: string[] | undefined;
}

async function runInBatches(
  work: UnitOfWork,
  workspace: string,
  { onProgress }: RotationOptions,
  before: RotationProgress,
  step: (tx: Tx, after: string[] | undefined) => Promise<RotationBatch>,
): Promise<RotationProgress> {
  let sum = before;
  for (let after: string[] | undefined; ;) {
    const { read, resealed, last } = await work.run(workspace, tx => step(tx, after));
    sum = { read: sum.read + read, resealed: sum.resealed + resealed };
    if (read > 0) onProgress?.(sum);
    if (!last) return sum;
    after = last;
  }
}

async function rotateConnections(tx: Tx, vault: ConnectionVault, { dryRun }: RotationOptions, after?: string[]) {
  const rows = await tx.query<ConnectionRow>(
    `SELECT id, credentials, webhook_secrets, tokens FROM connections WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id > $2)
     ORDER BY id LIMIT ${BATCH_SIZE} FOR UPDATE`,
    [tx.workspace, after?.[0] ?? null],
  );
  let resealed = 0;
  for (const { id, credentials, webhook_secrets, tokens } of rows) {
    const owner = { workspaceId: tx.workspace, id };
    const newCredentials = vault.reseal(owner, 'credentials', credentials);
    const newWebhookSecrets = vault.reseal(owner, 'webhook', webhook_secrets);
    const newTokens = tokens && vault.reseal(owner, 'tokens', tokens);
    if (!newCredentials && !newWebhookSecrets && !newTokens) continue;
    resealed++;
    if (dryRun) continue;
    tx.deferToCommit(
      'UPDATE connections SET credentials = $3, webhook_secrets = $4, tokens = $5 WHERE workspace_id = $1 AND id = $2',
      [tx.workspace, id, newCredentials ?? credentials, newWebhookSecrets ?? webhook_secrets, newTokens ?? tokens],
    );
  }
  const last = rows.at(-1);
  return { read: rows.length, resealed, last: last && rows.length === BATCH_SIZE ? [last.id] : undefined };
}

async function rotateStore(
  tx: Tx,
  box: SecretBox,
  { dryRun }: RotationOptions,
  after?: string[],
): Promise<RotationBatch> {
  const rows = await tx.query<StoreRow>(
    `SELECT plugin, connection_id, key, value FROM plugin_store
     WHERE workspace_id = $1 AND ($2::text IS NULL OR (plugin, connection_id, key) > ($2, $3::uuid, $4))
     ORDER BY plugin, connection_id, key LIMIT ${BATCH_SIZE} FOR UPDATE`,
    [tx.workspace, after?.[0] ?? null, after?.[1] ?? null, after?.[2] ?? null],
  );
  const stale = rows.filter(({ value }) => !box.isCurrent(value));
  for (const { plugin, connection_id: connectionId, key, value } of stale) {
    const sealed = box.reseal(toStoreSecretPlace({ workspaceId: tx.workspace, plugin, connectionId }, key), value);
    if (dryRun) continue;
    tx.deferToCommit(
      `UPDATE plugin_store SET value = $5
       WHERE workspace_id = $1 AND plugin = $2 AND connection_id = $3 AND key = $4`,
      [tx.workspace, plugin, connectionId, key, JSON.stringify(sealed)],
    );
  }
  const end = rows.length < BATCH_SIZE ? undefined : rows.at(-1);
  return { read: rows.length, resealed: stale.length, last: end && [end.plugin, end.connection_id, end.key] };
}

/** Reseals the keys of files; their contents stay as they are. */
async function rotateFileKeys(
  tx: Tx,
  box: SecretBox,
  { dryRun }: RotationOptions,
  after?: string[],
): Promise<RotationBatch> {
  const rows = await tx.query<{ id: string; sealed_key: string }>(
    `SELECT id, sealed_key FROM files WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id > $2)
     ORDER BY id LIMIT ${BATCH_SIZE} FOR UPDATE`,
    [tx.workspace, after?.[0] ?? null],
  );
  const stale = rows.filter(({ sealed_key }) => !box.isCurrent(sealed_key));
  for (const { id, sealed_key } of stale) {
    const sealed = box.reseal(toFileKeyPlace(tx.workspace, id), sealed_key);
    if (dryRun) continue;
    tx.deferToCommit('UPDATE files SET sealed_key = $3 WHERE workspace_id = $1 AND id = $2', [
      tx.workspace,
      id,
      sealed,
    ]);
  }
  const end = rows.length < BATCH_SIZE ? undefined : rows.at(-1);
  return { read: rows.length, resealed: stale.length, last: end && [end.id] };
}
