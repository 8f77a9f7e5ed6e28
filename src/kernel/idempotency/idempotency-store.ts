import { createHash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { HubError } from '#kernel/errors/hub-error.js';
import { prepare, toJsonTexts } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HandlerResponse } from '../http/response.hook.js';

/** The Idempotency-Key of a request with a fingerprint of the request. */
export interface IdempotencyKey {
  readonly key: string;
  readonly requestHash: Buffer;
}

const KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;

/**
 * Creates a key with the fingerprint of its request; undefined if the client sent none.
 * @throws HubError `invalid_request` for a key that is empty, too long or not printable ASCII.
 */
export function toIdempotencyKey(key: unknown, ...request: readonly unknown[]): IdempotencyKey | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !KEY_PATTERN.test(key)) {
    const message = 'Idempotency-Key must be 1 to 255 printable ASCII characters without spaces.';
    throw HubError.invalidRequest([{ field: 'Idempotency-Key', message }]);
  }
  return { key, requestHash: createHash('sha256').update(JSON.stringify(request)).digest() };
}

/** Injects the Idempotency-Key of the request, if it has one, into a handler parameter. */
export const WithIdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { headers, method, url, body } = context.switchToHttp().getRequest<FastifyRequest>();
  return toIdempotencyKey(headers['idempotency-key'], method, url, body);
});

/** State of a key at the start of a write: new, its stored response, or the error that prevents the write. */
export type KeyState = 'new' | HandlerResponse<unknown> | HubError;

interface KeyRow {
  readonly isLocked: boolean;
  readonly request_hash: Buffer | null;
  readonly status: number;
  readonly body: unknown;
}

/**
 * Looks up keys and locks each until the transaction ends, so that only one of several requests with the same key
 * writes. Runs one statement for any number of keys; a duplicate in `keys` is new only once.
 */
export async function lookUpKeys(tx: Tx, keys: readonly IdempotencyKey[]): Promise<KeyState[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<KeyRow>(
    `SELECT pg_try_advisory_xact_lock(requested.lock) AS "isLocked", stored.request_hash, stored.status, stored.body
     FROM unnest($2::text[], $3::bigint[]) WITH ORDINALITY AS requested (key, lock, n)
     LEFT JOIN idempotency_keys stored ON stored.workspace_id = $1 AND stored.key = requested.key
     ORDER BY requested.n`,
    [tx.workspace, keys.map(({ key }) => key), keys.map(({ key }) => computeLockId(tx.workspace, key))],
  );
  const seen = new Set<string>();
  return rows.map((row, i) => {
    const { key, requestHash } = keys[i]!;
    if (row.request_hash?.length === 0) return toErasedResponseError();
    if (row.request_hash && !row.request_hash.equals(requestHash)) return new HubError('idempotency_conflict');
    if (row.request_hash) return new HandlerResponse(row.body, row.status, true);
    const isDuplicate = seen.has(key);
    seen.add(key);
    return row.isLocked && !isDuplicate ? 'new' : new HubError('idempotency_in_progress', { retryAfterSeconds: 1 });
  });
}

const INSERT_RESPONSES = prepare(
  `INSERT INTO idempotency_keys (workspace_id, key, request_hash, status, body)
   SELECT $1, * FROM unnest($2::text[], $3::bytea[], $4::smallint[], $5::json[])`,
);

/**
 * Stores responses in the transaction of their writes. If another request has stored a response between the lookup
 * and the lock, the insert violates the primary key and the write is retried, as a replay.
 */
export function saveResponses(
  tx: Tx,
  responses: readonly { key: IdempotencyKey; response: HandlerResponse<unknown> }[],
): void {
  if (responses.length === 0) return;
  tx.deferToCommit(INSERT_RESPONSES, [
    tx.workspace,
    responses.map(({ key }) => key.key),
    responses.map(({ key }) => key.requestHash),
    responses.map(({ response }) => response.status),
    toJsonTexts(responses.map(({ response }) => response.body)),
  ]);
}

/** Runs a write once per key: a second request with the same key and content gets the first response. */
export async function runOnce<Body>(
  tx: Tx,
  key: IdempotencyKey | undefined,
  write: () => Promise<HandlerResponse<Body>>,
): Promise<HandlerResponse<Body>> {
  if (!key) return write();
  const [state] = await lookUpKeys(tx, [key]);
  if (state instanceof HubError) throw state;
  if (state instanceof HandlerResponse) return state as HandlerResponse<Body>;
  const response = await write();
  saveResponses(tx, [{ key, response }]);
  return response;
}

/** Returns the error for a key whose stored response was erased with a person; it has no request hash any more. */
export function toErasedResponseError(): HubError {
  const detail = 'The stored response held data of a person who was erased. Send a new Idempotency-Key.';
  return new HubError('entity_erased', { detail });
}

function computeLockId(workspace: string, key: string): string {
  return createHash('sha256').update(`${workspace} ${key}`).digest().readBigInt64BE().toString();
}
