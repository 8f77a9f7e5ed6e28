import type { Actor } from '#domain/actor/actor.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { TrustContent } from '../claims/rules.cache.js';

/** One version of the trust settings of a workspace. */
export interface TrustVersion {
  readonly version: number;
  readonly content: TrustContent;
  readonly note: string | null;
  readonly created_at: Instant;
}

/** Selects a version; by default the newest. */
export interface TrustVersionRef {
  readonly version?: number | undefined;
  /** Time at which the version was in effect. */
  readonly asOf?: Instant | undefined;
}

/** Progress of the claim rebuild after a change. */
export interface RebuildRow {
  readonly version: number;
  readonly cursor: string | null;
  readonly entities: number;
  readonly claims: number;
  readonly changed: number;
  readonly finished_at: Instant | null;
}

/** Locks the trust settings of the workspace against other writers until the transaction ends. */
export async function lockTrust(tx: Tx): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('trust ' || $1::text, 0))", [tx.workspace]);
}

/** Returns the newest version up to `version` and up to a time; undefined if the default rules apply. */
export async function readTrustVersion(
  tx: Tx,
  { version, asOf }: TrustVersionRef = {},
): Promise<TrustVersion | undefined> {
  const [row] = await tx.query<TrustVersion>(
    `SELECT version, content, note, created_at FROM source_trust_versions
     WHERE workspace_id = $1 AND version <= coalesce($2, version) AND created_at <= coalesce($3, created_at)
     ORDER BY version DESC LIMIT 1`,
    [tx.workspace, version ?? null, asOf === undefined ? null : toIso(asOf)],
  );
  return row;
}

/** Inserts a version and schedules a rebuild `afterSeconds` later, when every process has loaded the version. */
export async function insertTrustVersion(
  tx: Tx,
  version: Pick<TrustVersion, 'version' | 'content' | 'note'> & { readonly author: Actor },
  afterSeconds: number,
): Promise<TrustVersion> {
  const [row] = await tx.query<TrustVersion>(
    `INSERT INTO source_trust_versions (workspace_id, version, content, note, author) VALUES ($1, $2, $3, $4, $5)
     RETURNING version, content, note, created_at`,
    [tx.workspace, version.version, JSON.stringify(version.content), version.note, JSON.stringify(version.author)],
  );
  await tx.query(
    `INSERT INTO claim_rebuilds (workspace_id, version, due_at)
     VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))
     ON CONFLICT (workspace_id) DO UPDATE SET version = excluded.version, due_at = excluded.due_at, cursor = NULL,
       entities = 0, claims = 0, changed = 0, created_at = clock_timestamp(), finished_at = NULL`,
    [tx.workspace, version.version, afterSeconds],
  );
  return row!;
}

/** Returns the rebuild of the newest version. */
export async function readRebuild(tx: Tx): Promise<RebuildRow | undefined> {
  const [row] = await tx.query<RebuildRow>('SELECT * FROM claim_rebuilds WHERE workspace_id = $1', [tx.workspace]);
  return row;
}

/** Locks the due, unfinished rebuild for this transaction; undefined if there is none or another process has it. */
export async function lockRebuild(tx: Tx): Promise<RebuildRow | undefined> {
  const [row] = await tx.query<RebuildRow>(
    `SELECT * FROM claim_rebuilds WHERE workspace_id = $1 AND finished_at IS NULL AND due_at <= clock_timestamp()
     FOR UPDATE SKIP LOCKED`,
    [tx.workspace],
  );
  return row;
}

/** Stores the progress of a rebuild after a page. A step without a last entity marks it as finished. */
export function advanceRebuild(
  tx: Tx,
  step: { last: string | null; entities: number; claims: number; changed: number },
): void {
  tx.deferToCommit(
    `UPDATE claim_rebuilds SET cursor = coalesce($2, cursor), entities = entities + $3, claims = claims + $4,
       changed = changed + $5, finished_at = CASE WHEN $2::uuid IS NULL THEN clock_timestamp() END
     WHERE workspace_id = $1`,
    [tx.workspace, step.last, step.entities, step.claims, step.changed],
  );
}
