import { COMMIT_POSITION_COLUMN } from '#kernel/db/commit-positions.js';
import type { Tx } from '#kernel/db/transaction.js';

/** A column of a primary key, in the order of the export. */
export interface KeyColumn {
  readonly name: string;
  readonly type: 'uuid' | 'text' | 'int' | 'smallint' | 'date' | 'bytea';
}

/** A table of the export. */
export interface ExportedTable {
  readonly name: string;
  /** The primary key without `workspace_id`. */
  readonly key: readonly KeyColumn[];
  /** Columns that are left out: secrets and their hashes. */
  readonly omit?: readonly string[];
  /** Whether an import writes the rows; others are for reading only. */
  readonly isImported: boolean;
  /** Whether only `rapport_eraser` reads and writes the table. */
  readonly isForEraser?: boolean;
  /** Rows per page, fewer where rows may be large. */
  readonly pageSize: number;
}

const uuid = (name: string): KeyColumn => ({ name, type: 'uuid' });
const text = (name: string): KeyColumn => ({ name, type: 'text' });
const LARGE = 100;
const SMALL = 1000;

const imported = (name: string, key: readonly KeyColumn[], pageSize = SMALL): ExportedTable => ({
  name,
  key,
  pageSize,
  isImported: true,
});
const readOnly = (name: string, key: readonly KeyColumn[], omit: readonly string[] = []): ExportedTable => ({
  name,
  key,
  omit,
  pageSize: LARGE,
  isImported: false,
});

/**
 * All tables of a workspace whose rows may leave it, in the order of an import: a table comes after those it refers to.
 * Left out are `outbox` and `plugin_jobs`, which hold work in progress, the IDs in `inbound_event_ids`, the links in
 * `provider_authorizations`, which work for one hour, the encrypted
 * `file_chunks`, and the sealed values of `plugin_store`. The hashes by which erased people are recognized are exported;
 * their key, and the terms of unfinished erasures, stay sealed for the hub that exports.
 */
export const EXPORTED_TABLES: readonly ExportedTable[] = [
  imported('entities', [uuid('id')]),
  imported('identifiers', [text('kind'), text('key')]),
  imported('name_words', [text('word'), uuid('entity_id')]),
  imported('entity_links', [uuid('id')]),
  imported('merge_proposals', [uuid('entity_id'), text('kind'), text('key')]),
  imported('retracted_identifiers', [text('kind'), text('key'), uuid('entity_id')]),
  imported('observation_log', [uuid('id')], LARGE),
  imported('retractions', [uuid('id')]),
  imported('source_trust_versions', [{ name: 'version', type: 'int' }]),
  imported('claims', [uuid('entity_id'), text('property')], LARGE),
  imported('lead_lists', [uuid('id')]),
  imported('leads', [uuid('id')], LARGE),
  imported('workspace_facts', [text('section'), { name: 'version', type: 'int' }], LARGE),
  imported('note_log', [uuid('id')], LARGE),
  imported('note_chunks', [uuid('note_id'), { name: 'position', type: 'smallint' }], LARGE),
  // `note_terms` refers to the numbers of these two.
  imported('note_statistics', []),
  imported('note_numbers', [{ name: 'number', type: 'int' }]),
  imported('note_terms', [text('term'), { name: 'block', type: 'int' }]),
  imported('note_words', [text('word')]),
  imported('note_trigrams', [text('trigram'), { name: 'block', type: 'int' }]),
  imported('attention_marks', [text('item_id')]),
  imported('saved_views', [uuid('id')]),
  imported('retention_settings', []),
  { ...imported('erasures', [uuid('id')]), isForEraser: true },
  { ...imported('erased_identifiers', [{ name: 'hash', type: 'bytea' }]), isForEraser: true },
  { ...imported('erasure_keys', []), isForEraser: true },
  imported('audit_events', [uuid('id')], LARGE),
  readOnly('memberships', [uuid('user_id')]),
  readOnly('invitations', [uuid('id')], ['token_hash']),
  readOnly('api_keys', [uuid('id')], ['hash']),
  readOnly('oauth_grants', [uuid('id')], ['secret_hash', 'code_challenge']),
  readOnly('oauth_refresh_tokens', [uuid('id')], ['secret_hash', 'previous_hash']),
  readOnly('connections', [uuid('id')], ['credentials', 'webhook_secrets', 'webhook_token_hash', 'tokens']),
  readOnly('plugin_store', [text('plugin'), uuid('connection_id'), text('key')], ['value']),
  readOnly('files', [uuid('id')], ['sealed_key']),
  readOnly('plugin_runs', [uuid('id')]),
  readOnly('plugin_run_reports', [uuid('run_id'), { name: 'step', type: 'int' }, { name: 'position', type: 'int' }]),
  readOnly('inbound_events', [uuid('id')]),
  readOnly('idempotency_keys', [text('key')], ['request_hash']),
  readOnly('claim_rebuilds', []),
  readOnly('likeness_scans', []),
  readOnly('claim_audits', [{ name: 'day', type: 'date' }]),
  readOnly('retention_runs', [{ name: 'day', type: 'date' }]),
];

/** A row of the export: its JSON on one line, and its key. */
export interface ExportedRow {
  readonly json: string;
  readonly key: readonly string[];
}

/** Reads the columns that the export of a table has: all except generated, local and omitted ones, in their order. */
export async function readColumns(tx: Tx, { name, omit = [] }: ExportedTable): Promise<string[]> {
  const rows = await tx.query<{ column: string }>(
    `SELECT column_name AS column FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position`,
    [name],
  );
  return rows.map(({ column }) => column).filter(column => column !== COMMIT_POSITION_COLUMN && !omit.includes(column));
}

/**
 * Reads a page of a table in the order of its key. Numbers and times keep their precision, since PostgreSQL writes the
 * JSON itself.
 * @param after key of the last row of the previous page
 */
export async function readTablePage(
  tx: Tx,
  { name, key, pageSize }: ExportedTable,
  columns: readonly string[],
  after: readonly string[] | undefined,
): Promise<ExportedRow[]> {
  const names = key.map(column => column.name);
  const start = after && names.length > 0 ? `AND (${names.join(', ')}) > (${toParams(key)})` : '';
  const order = names.length > 0 ? `ORDER BY ${names.join(', ')}` : '';
  const rows = await tx.query<{ json: string; key: string[] }>(
    `SELECT to_json(page)::text AS json, ARRAY[${names.map(column => `page.${column}::text`).join(', ')}]::text[] AS key
     FROM (SELECT ${columns.join(', ')} FROM ${name} WHERE workspace_id = $1 ${start} ${order} LIMIT $2) AS page`,
    [tx.workspace, pageSize, ...(after && names.length > 0 ? after : [])],
  );
  // Line breaks stand between tokens only: in strings they are escaped.
  return rows.map(row => ({ json: row.json.replace(/[\r\n]/g, ' '), key: row.key }));
}

function toParams(key: ExportedTable['key']): string {
  return key.map(({ type }, i) => `$${i + 3}::${type}`).join(', ');
}
