import type { BatchedEvent } from '#kernel/events/hub-event.js';
import { type SecretBox, UnsealError } from '#kernel/secrets/secret-box.js';
import type { Tx } from '#kernel/db/transaction.js';
import { toRouteResponsePlace } from '#plugin-host/surfaces/routes/route.idempotency.js';
import type { JsonValue } from '#domain/observation/observation.js';
import {
  type ErasedPerson,
  type ErasurePhase,
  findWindowEnd,
  isAbout,
  isKeyAbout,
  redactNullable,
  redactValue,
} from './erasure-phase.js';

const RESPONSES_PER_PAGE = 200;
const BATCHES_PER_PAGE = 200;
const JOBS_PER_PAGE = 500;
/** Webhook bodies may have a megabyte each. */
const WEBHOOKS_PER_PAGE = 20;

interface ResponseRow {
  readonly key: string;
  readonly body: unknown;
  readonly is_earlier: boolean;
}

/**
 * Erases stored responses that are about the person. Their keys stay, without content, so that a repeated request is
 * refused and not carried out again; a key that itself mentions the person is deleted.
 */
export function createResponsesPhase(box: SecretBox): ErasurePhase {
  return {
    name: 'stored responses',
    run: async (tx, person, cursor) => {
      const end = await findWindowEnd(tx, 'idempotency_keys', cursor, RESPONSES_PER_PAGE, 'key');
      if (end === null) return { cursor: null, counts: {} };
      const rows = await tx.query<ResponseRow>(
        `SELECT key, body, created_at < $4::timestamptz AS is_earlier FROM idempotency_keys
         WHERE workspace_id = $1 AND ($2::text IS NULL OR key > $2) AND key <= $3 AND length(request_hash) > 0`,
        [tx.workspace, cursor, end, new Date(person.requestedAt / 1_000).toISOString()],
      );
      const named = rows.filter(({ key }) => person.matcher.isPartOf(key)).map(({ key }) => key);
      const about = rows
        .filter(row => !named.includes(row.key) && isResponseAbout(box, tx.workspace, person, row))
        .map(({ key }) => key);
      await tx.query('DELETE FROM idempotency_keys WHERE workspace_id = $1 AND key = ANY ($2)', [tx.workspace, named]);
      await tx.query(
        `UPDATE idempotency_keys SET request_hash = '', body = 'null', status = 410
         WHERE workspace_id = $1 AND key = ANY ($2)`,
        [tx.workspace, about],
      );
      return { cursor: end, counts: { stored_responses: named.length + about.length } };
    },
  };
}

/** A later response that has only the id, such as that of the erasure itself, holds nothing about the person. */
function isResponseAbout(box: SecretBox, workspace: string, person: ErasedPerson, row: ResponseRow): boolean {
  const body = openResponse(box, workspace, row);
  return row.is_earlier ? isAbout(person, body) : redactValue(person.matcher, body) !== body;
}

/** Opens the response of a plugin route, which is sealed. Returns null if no key opens it. */
function openResponse(box: SecretBox, workspace: string, { key, body }: ResponseRow): unknown {
  if (typeof body !== 'string' || !body.startsWith('sealed:')) return body;
  try {
    return JSON.parse(box.open(toRouteResponsePlace(workspace, key), body));
  } catch (error) {
    if (error instanceof UnsealError) return null;
    throw error;
  }
}

interface OutboxRow {
  readonly id: string;
  readonly events: readonly BatchedEvent[];
  readonly last_error: string | null;
}

/** Removes events about the person that were not delivered yet, and mentions from dead letters. */
export const outboxPhase: ErasurePhase = {
  name: 'outgoing events',
  run: async (tx, person, cursor) => {
    const rows = await tx.query<OutboxRow>(
      `SELECT id, events, last_error FROM outbox WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id > $2)
       ORDER BY id LIMIT ${BATCHES_PER_PAGE} FOR UPDATE`,
      [tx.workspace, cursor],
    );
    let removed = 0;
    for (const { id, events, last_error } of rows) {
      const remaining = events.filter(({ payload }) => !isAbout(person, payload));
      const reason = redactNullable(person.matcher, last_error);
      if (remaining.length === events.length && reason === last_error) continue;
      removed += events.length - remaining.length;
      if (remaining.length === 0)
        await tx.query('DELETE FROM outbox WHERE workspace_id = $1 AND id = $2', [tx.workspace, id]);
      else
        await tx.query(
          'UPDATE outbox SET events = $3, event_count = $4, last_error = $5 WHERE workspace_id = $1 AND id = $2',
          [tx.workspace, id, JSON.stringify(remaining), remaining.length, reason],
        );
    }
    const last = rows.length < BATCHES_PER_PAGE ? null : rows.at(-1)!.id;
    return { cursor: last, counts: { outgoing_events: removed } };
  },
};

interface JobRow {
  readonly id: string;
  readonly payload: JsonValue;
  readonly dedupe_key: string | null;
  readonly last_error: string | null;
}

/** Removes plugin jobs about the person; of a job with many events, only those events. */
export const pluginJobsPhase: ErasurePhase = {
  name: 'plugin jobs',
  run: async (tx, person, cursor) => {
    const rows = await tx.query<JobRow>(
      `SELECT id, payload, dedupe_key, last_error FROM plugin_jobs
       WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT ${JOBS_PER_PAGE} FOR UPDATE`,
      [tx.workspace, cursor],
    );
    let changed = 0;
    for (const row of rows) if (await eraseJob(tx, person, row)) changed++;
    const last = rows.length < JOBS_PER_PAGE ? null : rows.at(-1)!.id;
    return { cursor: last, counts: { plugin_jobs: changed } };
  },
};

async function eraseJob(
  tx: Tx,
  person: ErasedPerson,
  { id, payload, dedupe_key, last_error }: JobRow,
): Promise<boolean> {
  const parts = Array.isArray(payload) ? payload : [payload];
  const remaining = parts.filter(part => !isAbout(person, part));
  const reason = redactNullable(person.matcher, last_error);
  if (remaining.length === 0 || (dedupe_key !== null && isKeyAbout(person, dedupe_key))) {
    if (parts.length === 0) return false;
    await tx.query('DELETE FROM plugin_jobs WHERE workspace_id = $1 AND id = $2', [tx.workspace, id]);
    return true;
  }
  if (remaining.length === parts.length && reason === last_error) return false;
  await tx.query('UPDATE plugin_jobs SET payload = $3, last_error = $4 WHERE workspace_id = $1 AND id = $2', [
    tx.workspace,
    id,
    JSON.stringify(Array.isArray(payload) ? remaining : payload),
    reason,
  ]);
  return true;
}

interface WebhookRow {
  readonly id: string;
  readonly event_id: string;
  readonly headers: JsonValue;
  readonly body: Buffer;
  readonly is_waiting: boolean;
}

/**
 * Erases received webhooks that mention the person: the whole body, or, while its job has still to run for others, only
 * the mentions. The rows stay, so that a repeated webhook is recognized.
 */
export const webhooksPhase: ErasurePhase = {
  name: 'received webhooks',
  run: async (tx, { matcher }, cursor) => {
    const rows = await tx.query<WebhookRow>(
      `SELECT id, event_id, headers, body, EXISTS (
         SELECT FROM plugin_jobs j WHERE j.workspace_id = $1 AND j.id = e.id AND j.state <> 'dead') AS is_waiting
       FROM inbound_events e WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id > $2)
       ORDER BY id LIMIT ${WEBHOOKS_PER_PAGE}`,
      [tx.workspace, cursor],
    );
    let erased = 0;
    for (const row of rows) {
      const text = row.body.toString('utf8');
      const parsed = parseJson(text);
      const json = redactValue(matcher, parsed);
      const redacted = parsed === undefined ? matcher.redact(text) : matcher.redact(JSON.stringify(json));
      const hasMention = json !== parsed || matcher.isMentionedIn(text);
      const headers = redactValue(matcher, row.headers);
      const eventId = matcher.isPartOf(row.event_id) ? `erased:${row.id}` : row.event_id;
      if (!hasMention && headers === row.headers && eventId === row.event_id) continue;
      erased++;
      await tx.query(
        `UPDATE inbound_events SET event_id = $3, headers = $4, body = convert_to($5, 'UTF8')
         WHERE workspace_id = $1 AND id = $2`,
        [tx.workspace, row.id, eventId, JSON.stringify(headers), row.is_waiting ? redacted : '{}'],
      );
    }
    const last = rows.length < WEBHOOKS_PER_PAGE ? null : rows.at(-1)!.id;
    return { cursor: last, counts: { webhooks: erased } };
  },
};

/** Returns undefined for a text that is no JSON. */
function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
