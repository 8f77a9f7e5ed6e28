import type { Actor } from '#domain/actor/actor.js';
import type { Instant } from '#domain/time/instant.js';
import type { Transaction, Tx } from '#kernel/db/transaction.js';
import type { ErasureCounts } from './erasure-phase.js';

/** A stored erasure. */
export interface ErasureRow {
  readonly id: string;
  /** Canonical id of the person when the erasure was requested. */
  readonly entity_id: string;
  /** All ids that the person had, the canonical one first. */
  readonly entity_ids: readonly string[];
  readonly state: 'pending' | 'running' | 'done';
  readonly actor_kind: Actor['kind'];
  readonly actor_id: string;
  readonly counts: ErasureCounts;
  readonly requested_at: Instant;
  readonly finished_at: Instant | null;
  /** Whether identifiers are still refused. */
  readonly suppressed: boolean;
}

/** An erasure that the job works on. */
export interface RunningErasure extends Pick<
  ErasureRow,
  'id' | 'entity_id' | 'entity_ids' | 'counts' | 'requested_at'
> {
  readonly terms: string;
  readonly phase: number;
  /** Where the phase continues; null at its start. */
  readonly cursor: string | null;
}

/** Reference to an erasure. */
export interface ErasureRef {
  readonly workspace_id: string;
  readonly id: string;
}

const SELECT_ERASURES = `
  SELECT id, entity_id, entity_ids, state, actor_kind, actor_id, counts, requested_at, finished_at,
         EXISTS (SELECT FROM erased_identifiers i WHERE i.workspace_id = $1 AND i.erasure_id = erasures.id) AS suppressed
  FROM erasures WHERE workspace_id = $1`;

/** Reads an erasure by its id. */
export async function readErasure(tx: Tx, id: string): Promise<ErasureRow | undefined> {
  const [row] = await tx.query<ErasureRow>(`${SELECT_ERASURES} AND id = $2`, [tx.workspace, id]);
  return row;
}

/** Finds the erasure of the person who had this entity id. */
export async function findErasureOfEntity(tx: Tx, entityId: string): Promise<ErasureRow | undefined> {
  const [row] = await tx.query<ErasureRow>(`${SELECT_ERASURES} AND $2 = ANY (entity_ids)`, [tx.workspace, entityId]);
  return row;
}

/** Finds the erasure that suppresses an identifier, by its hash. */
export async function findErasureByHash(tx: Tx, hash: Buffer): Promise<ErasureRow | undefined> {
  const [row] = await tx.query<ErasureRow>(
    `${SELECT_ERASURES} AND id = (
       SELECT erasure_id FROM erased_identifiers WHERE workspace_id = $1 AND hash = decode($2, 'hex'))`,
    [tx.workspace, hash.toString('hex')],
  );
  return row;
}

/** Lists erasures, newest first. @param before id of the last one of the previous page. */
export function listErasures(tx: Tx, before: string | null, limit: number): Promise<ErasureRow[]> {
  return tx.query<ErasureRow>(`${SELECT_ERASURES} AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`, [
    tx.workspace,
    before,
    limit,
  ]);
}

/** Inserts an erasure in the state `pending`. */
export async function insertErasure(
  tx: Tx,
  erasure: Pick<ErasureRow, 'id' | 'entity_ids' | 'counts'> & { readonly actor: Actor; readonly terms: string },
): Promise<void> {
  const { id, entity_ids: ids, actor, terms, counts } = erasure;
  await tx.query(
    `INSERT INTO erasures (workspace_id, id, entity_id, entity_ids, actor_kind, actor_id, terms, counts)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [tx.workspace, id, ids[0], ids, actor.kind, actor.id, terms, JSON.stringify(counts)],
  );
}

/** Stores the hashes of erased identifiers. A hash that an earlier erasure has stored now belongs to this one. */
export async function insertHashes(tx: Tx, erasureId: string, hashes: readonly Buffer[]): Promise<void> {
  const hex = hashes.map(hash => hash.toString('hex'));
  await tx.query(
    `DELETE FROM erased_identifiers
     WHERE workspace_id = $1 AND hash = ANY (SELECT decode(each, 'hex') FROM unnest($2::text[]) AS each)`,
    [tx.workspace, hex],
  );
  await tx.query(
    `INSERT INTO erased_identifiers (workspace_id, hash, erasure_id)
     SELECT DISTINCT $1::uuid, decode(each, 'hex'), $2::uuid FROM unnest($3::text[]) AS each`,
    [tx.workspace, erasureId, hex],
  );
}

/** Deletes the hashes of an erasure, so that its identifiers are accepted again. */
export async function deleteHashes(tx: Tx, erasureId: string): Promise<void> {
  await tx.query('DELETE FROM erased_identifiers WHERE workspace_id = $1 AND erasure_id = $2', [
    tx.workspace,
    erasureId,
  ]);
}

/** Returns the sealed hash key of the workspace. Stores `sealed` if there is none yet. */
export async function ensureHashKey(tx: Tx, sealed: string): Promise<string> {
  await tx.query('INSERT INTO erasure_keys (workspace_id, sealed) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    tx.workspace,
    sealed,
  ]);
  const [row] = await tx.query<{ sealed: string }>('SELECT sealed FROM erasure_keys WHERE workspace_id = $1', [
    tx.workspace,
  ]);
  return row!.sealed;
}

/** Returns the unfinished erasures of all workspaces whose time has come, the longest due first. */
export function findDueErasures(tx: Transaction): Promise<ErasureRef[]> {
  return tx.query<ErasureRef>(
    `SELECT workspace_id, id FROM erasures WHERE state <> 'done' AND run_at <= clock_timestamp()
     ORDER BY run_at LIMIT 100`,
  );
}

/** Locks a due erasure for this transaction; undefined if it is done, waits, or another process has it. */
export async function lockDueErasure(tx: Tx, id: string): Promise<RunningErasure | undefined> {
  const [row] = await tx.query<RunningErasure>(
    `SELECT id, entity_id, entity_ids, counts, requested_at, terms, phase, cursor FROM erasures
     WHERE workspace_id = $1 AND id = $2 AND state <> 'done' AND run_at <= clock_timestamp()
     FOR UPDATE SKIP LOCKED`,
    [tx.workspace, id],
  );
  return row;
}

/** Where an erasure continues. */
export interface ErasureProgress {
  readonly phase: number;
  readonly cursor: string | null;
  readonly counts: ErasureCounts;
  /** Milliseconds until it continues. Default 0. */
  readonly delayMs?: number;
}

/** Stores the progress of an erasure. */
export async function saveProgress(
  tx: Tx,
  id: string,
  { phase, cursor, counts, delayMs = 0 }: ErasureProgress,
): Promise<void> {
  await tx.query(
    `UPDATE erasures SET state = 'running', phase = $3, cursor = $4, counts = $5, failures = 0,
       run_at = clock_timestamp() + make_interval(secs => $6)
     WHERE workspace_id = $1 AND id = $2`,
    [tx.workspace, id, phase, cursor, JSON.stringify(counts), delayMs / 1000],
  );
}

/** Marks an erasure as done and forgets what it looked for. */
export async function finishErasure(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `UPDATE erasures SET state = 'done', terms = NULL, cursor = NULL, finished_at = clock_timestamp()
     WHERE workspace_id = $1 AND id = $2`,
    [tx.workspace, id],
  );
}

/** Delays an erasure after a failure: by 5 seconds, doubled for each failure in a row, at most 5 minutes. */
export async function postponeErasure(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `UPDATE erasures SET failures = failures + 1,
       run_at = clock_timestamp() + make_interval(secs => least(300, 5 * 2 ^ least(failures, 10)))
     WHERE workspace_id = $1 AND id = $2 AND state <> 'done'`,
    [tx.workspace, id],
  );
}
