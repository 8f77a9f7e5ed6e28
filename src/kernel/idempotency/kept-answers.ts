import { createHash } from 'node:crypto';
import { jsonList, jsonsIn } from '#kernel/db/array-literal.js';
import { statement } from '#kernel/db/statement.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/errors.js';
import { Answered } from './answered.js';
import type { IdempotencyKey } from './idempotency-key.js';

/** What is known of a key at the start of a write: nothing, its answer, or why the write may not go on. */
export type Standing = 'new' | Answered<unknown> | HubError;

interface Row {
  readonly isLocked: boolean;
  readonly request_hash: Buffer | null;
  readonly status: number;
  readonly body: unknown;
}

/**
 * Looks keys up and holds each until the transaction ends, so that of two requests with one key only one works.
 * One statement, whatever the number of keys; a key that stands twice in `keys` is free for the first only.
 */
export async function standingOf(tx: Tx, keys: readonly IdempotencyKey[]): Promise<Standing[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<Row>(
    `SELECT pg_try_advisory_xact_lock(requested.lock) AS "isLocked", stored.request_hash, stored.status, stored.body
     FROM unnest($2::text[], $3::bigint[]) WITH ORDINALITY AS requested (key, lock, n)
     LEFT JOIN idempotency_keys stored ON stored.workspace_id = $1 AND stored.key = requested.key
     ORDER BY requested.n`,
    [tx.workspace, keys.map(({ key }) => key), keys.map(({ key }) => lockOf(tx.workspace, key))],
  );
  const seen = new Set<string>();
  return rows.map((row, i) => {
    const { key, requestHash } = keys[i]!;
    if (row.request_hash && !row.request_hash.equals(requestHash)) return new HubError('idempotency_conflict');
    if (row.request_hash) return new Answered(row.body, row.status, true);
    const twice = seen.has(key);
    seen.add(key);
    return row.isLocked && !twice ? 'new' : new HubError('idempotency_in_progress', { retryAfterSeconds: 1 });
  });
}

const KEEP_ANSWERS = statement(
  `INSERT INTO idempotency_keys (workspace_id, key, request_hash, status, body)
   SELECT $1, * FROM unnest($2::text[], $3::bytea[], $4::smallint[], ${jsonsIn(5)}::json[])`,
);

/**
 * Keeps answers with the transaction that they answer for. Should another request have answered a key in the moment
 * between the look-up and the lock, the insert fails on the primary key and the write runs again, as a replay.
 */
export function keepAnswers(tx: Tx, kept: readonly { key: IdempotencyKey; answer: Answered<unknown> }[]): void {
  if (kept.length === 0) return;
  tx.queryWithCommit(KEEP_ANSWERS, [
    tx.workspace,
    kept.map(({ key }) => key.key),
    kept.map(({ key }) => key.requestHash),
    kept.map(({ answer }) => answer.status),
    jsonList(kept.map(({ answer }) => answer.body)),
  ]);
}

/** Runs a write once per key: a second request with the same key and content gets the first one's answer. */
export async function once<Body>(
  tx: Tx,
  key: IdempotencyKey | undefined,
  write: () => Promise<Answered<Body>>,
): Promise<Answered<Body>> {
  if (!key) return write();
  const [standing] = await standingOf(tx, [key]);
  if (standing instanceof HubError) throw standing;
  if (standing instanceof Answered) return standing as Answered<Body>;
  const answer = await write();
  keepAnswers(tx, [{ key, answer }]);
  return answer;
}

function lockOf(workspace: string, key: string): string {
  return createHash('sha256').update(`${workspace} ${key}`).digest().readBigInt64BE().toString();
}
