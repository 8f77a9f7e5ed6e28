/** A column of a primary key, in the order of the export. */
export interface KeyColumn {
  readonly name: string;
  readonly type: 'uuid' | 'text' | 'int' | 'smallint' | 'date';
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
 * Left out are `outbox` and `plugin_jobs`, which hold work in progress, the IDs in `inbound_event_ids`, the encrypted
 * `file_chunks`, and what is sealed for this hub: the values of
 * `plugin_store`, and the hashes by which erased people are recognized, with their key.
 */
export const EXPORTED_TABLES: readonly ExportedTable[] = [
  imported('entities', [uuid('id')]),
  imported('identifiers', [text('kind'), text('key')]),
  imported('name_words', [text('word'), uuid('entity_id')]),
  imported('entity_links', [uuid('id')]),
  imported('merge_proposals', [uuid('entity_id'), text('kind'), text('key')]),
  imported('observations', [uuid('id')], LARGE),
  imported('source_trust_versions', [{ name: 'version', type: 'int' }]),
  imported('claims', [uuid('entity_id'), text('property')], LARGE),
  imported('lead_lists', [uuid('id')]),
  imported('leads', [uuid('id')], LARGE),
  imported('workspace_facts', [text('section'), { name: 'version', type: 'int' }], LARGE),
  imported('notes', [uuid('id')], LARGE),
  imported('note_chunks', [uuid('note_id'), { name: 'position', type: 'smallint' }], LARGE),
  imported('note_terms', [text('term'), uuid('note_id'), { name: 'position', type: 'smallint' }]),
  imported('note_words', [text('word')]),
  imported('note_trigrams', [text('trigram'), text('word')]),
  imported('note_statistics', []),
  imported('retention_settings', []),
  imported('audit_events', [uuid('id')], LARGE),
  readOnly('api_keys', [uuid('id')], ['hash']),
  readOnly('oauth_grants', [uuid('id')], ['secret_hash', 'code_challenge']),
  readOnly('connections', [uuid('id')], ['credentials', 'webhook_secrets', 'webhook_token_hash']),
  readOnly('plugin_store', [text('plugin'), uuid('connection_id'), text('key')], ['value']),
  readOnly('files', [uuid('id')], ['sealed_key']),
  readOnly('inbound_events', [uuid('id')]),
  readOnly('idempotency_keys', [text('key')], ['request_hash']),
  readOnly('erasures', [uuid('id')], ['terms']),
  readOnly('claim_rebuilds', []),
  readOnly('claim_audits', [{ name: 'day', type: 'date' }]),
  readOnly('retention_runs', [{ name: 'day', type: 'date' }]),
];
