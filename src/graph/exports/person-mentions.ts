import type { MentionMatcher } from '#domain/erasure/mentions.js';
import { excerpt } from '#domain/erasure/excerpt.js';
import type { JsonValue } from '#domain/observation/observation.js';
import type { Tx } from '#kernel/db/transaction.js';
import { type SecretBox, type SecretContext, UnsealError } from '#kernel/secrets/secret-box.js';
import { NO_CONNECTION, toStoreSecretPlace } from '#plugin-host/store/plugin-store.js';
import { toRouteResponsePlace } from '#plugin-host/surfaces/routes/route.idempotency.js';
import { isAbout } from '../erasures/erasure-phase.js';
import { EXPORTED_TABLES } from './exported-tables.js';

/** The person that records are searched for. */
export interface ExportedPerson {
  /** All IDs that the person had. */
  readonly ids: readonly string[];
  readonly matcher: MentionMatcher;
}

type Row = Record<string, JsonValue>;

/** Records that are not the person's own and can be about them. */
export interface MentionSource {
  readonly table: string;
  /** Columns in the export. */
  readonly columns: readonly string[];
  /** Text in which the database looks for mentions; without it every row is read, because its content is sealed. */
  readonly searched?: string;
  /** Condition that rows meet; `$3` holds the IDs of the person. */
  readonly where?: string;
  /** Rows that one statement searches. */
  readonly windowSize: number;
  /** Decodes or unseals a row; undefined if no key opens it. */
  readonly open?: (box: SecretBox, workspace: string, row: Row) => Row | undefined;
}

const OF_OTHERS = 'entity_id <> ALL ($3::uuid[])';

/** Sources by the field of the export that has their rows. */
export const MENTION_SOURCES: Readonly<Record<string, MentionSource>> = {
  mentions_in_observations: {
    table: 'observation_log',
    columns: [
      'id',
      'entity_id',
      'property',
      'value',
      'source',
      'method',
      'observed_at',
      'external_id',
      'raw',
      'about_address',
    ],
    searched: "concat_ws(' ', value, raw, external_id, source, method, about_address)",
    where: OF_OTHERS,
    windowSize: 2_000,
  },
  mentions_in_leads: {
    table: 'leads',
    columns: ['id', 'list_id', 'step', 'reply_outcome', 'features', 'fields', 'original'],
    searched: "concat_ws(' ', step, reply_outcome, features, fields, original)",
    where: OF_OTHERS,
    windowSize: 2_000,
  },
  mentions_in_facts: {
    table: 'workspace_facts',
    columns: ['section', 'version', 'content', 'source', 'note', 'subject'],
    searched: "concat_ws(' ', content, source, note, subject)",
    windowSize: 200,
  },
  received_webhooks: {
    table: 'inbound_events',
    columns: ['id', 'plugin', 'name', 'event_id', 'received_at', 'body'],
    windowSize: 20,
    open: (_box, _workspace, row) => ({ ...row, body: decodeBody(String(row['body'])) }),
  },
  stored_responses: {
    table: 'idempotency_keys',
    columns: ['key', 'status', 'body', 'created_at'],
    windowSize: 200,
    open: openResponse,
  },
  plugin_values: {
    table: 'plugin_store',
    columns: ['plugin', 'connection_id', 'key', 'value', 'updated_at', 'expires_at'],
    windowSize: 200,
    open: openValue,
  },
  runs: {
    table: 'plugin_runs',
    columns: ['id', 'plugin', 'name', 'input', 'state', 'message', 'result', 'error', 'report_columns', 'created_at'],
    windowSize: 50,
  },
  rejected_rows: {
    table: 'plugin_run_reports',
    columns: ['run_id', 'at', 'field', 'error', 'cells'],
    windowSize: 1_000,
  },
};

/** One window of a source. */
interface SearchedWindow {
  readonly rows: readonly Row[];
  /** Key of the last row that was searched; null at the end. */
  readonly last: readonly string[] | null;
}

/**
 * Reads the next window of a source, and returns what it says about the person, as JSON texts.
 * @param after key of the last row of the previous window; null at the start
 */
export async function readMentionsIn(
  tx: Tx,
  box: SecretBox,
  source: MentionSource,
  person: ExportedPerson,
  after: readonly string[] | null,
): Promise<{ readonly rows: readonly string[]; readonly last: readonly string[] | null }> {
  const { rows, last } = await readWindow(tx, source, person, after);
  const opened = rows.flatMap(row => (source.open ? (source.open(box, tx.workspace, row) ?? []) : row));
  const sought = { ...person, requestedAt: 0 };
  const found = opened.filter(row => isAbout(sought, row)).map(row => excerpt(row, part => isAbout(sought, part)));
  return { rows: found.map(row => JSON.stringify(row)), last };
}

async function readWindow(
  tx: Tx,
  { table, columns, searched, where, windowSize }: MentionSource,
  { ids, matcher }: ExportedPerson,
  after: readonly string[] | null,
): Promise<SearchedWindow> {
  const { key } = EXPORTED_TABLES.find(({ name }) => name === table)!;
  const names = key.map(({ name }) => name).join(', ');
  const start = key.map(({ type }, i) => `$${i + 5}::${type}`).join(', ');
  const [page] = await tx.query<{ rows: Row[] | null; last: string[] | null }>(
    `WITH part AS (
       SELECT * FROM ${table} WHERE workspace_id = $1 AND ($4 OR (${names}) > (${start}))
       ORDER BY ${names} LIMIT ${windowSize})
     SELECT (SELECT json_agg(found) FROM (
               SELECT ${columns.join(', ')} FROM part
               WHERE ${where ?? '$3::uuid[] IS NOT NULL'} AND ${searched ?? '$2'} ~* $2) AS found) AS rows,
       (SELECT ARRAY[${key.map(({ name }) => `${name}::text`).join(', ')}] FROM part
        ORDER BY ${key.map(({ name }) => `${name} DESC`).join(', ')} LIMIT 1) AS last`,
    [
      tx.workspace,
      searched ? [matcher.prefilter, ...ids].join('|') : '',
      ids,
      after === null,
      ...(after ?? key.map(() => null)),
    ],
  );
  return { rows: page!.rows ?? [], last: page!.last };
}

/** Decodes the hexadecimal text of a `bytea`: JSON, or else text. */
function decodeBody(hex: string): JsonValue {
  const text = Buffer.from(hex.slice('\\x'.length), 'hex').toString('utf8');
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function openResponse(box: SecretBox, workspace: string, row: Row): Row | undefined {
  const { body } = row;
  if (typeof body !== 'string' || !body.startsWith('sealed:')) return row;
  return unseal(box, toRouteResponsePlace(workspace, String(row['key'])), body, opened => ({
    ...row,
    body: (opened as { body: JsonValue }).body,
  }));
}

function openValue(box: SecretBox, workspaceId: string, row: Row): Row | undefined {
  const connectionId = row['connection_id'] === NO_CONNECTION ? null : String(row['connection_id']);
  const owner = { workspaceId, plugin: String(row['plugin']), connectionId };
  const place = toStoreSecretPlace(owner, String(row['key']));
  return unseal(box, place, String(row['value']), value => ({ ...row, connection_id: connectionId, value }));
}

function unseal(
  box: SecretBox,
  place: SecretContext,
  sealed: string,
  toRow: (opened: JsonValue) => Row,
): Row | undefined {
  try {
    return toRow(JSON.parse(box.open(place, sealed)) as JsonValue);
  } catch (error) {
    if (error instanceof UnsealError) return undefined;
    throw error;
  }
}
