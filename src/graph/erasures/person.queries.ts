import type { Identifier } from '#domain/identity/focus.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { ErasureCounts } from './erasure-phase.js';

/** Properties whose values identify a person. */
const IDENTIFYING_PROPERTIES = [
  'name',
  'first_name',
  'last_name',
  'email',
  'emails',
  'phone',
  'phones',
  'linkedin_url',
] as const;

/** A value that was stated for a person. */
export interface StatedValue {
  readonly property: string;
  readonly value: unknown;
}

/** Returns the identifying values that were ever stated for these entities, each once, at most 2,000. */
export function readStatedValues(tx: Tx, ids: readonly string[]): Promise<StatedValue[]> {
  return tx.query<StatedValue>(
    `SELECT DISTINCT property, value FROM observation_log
     WHERE workspace_id = $1 AND entity_id = ANY ($2) AND kind = 'state' AND property = ANY ($3)
       AND value IS NOT NULL LIMIT 2000`,
    [tx.workspace, ids, IDENTIFYING_PROPERTIES],
  );
}

/** Returns those name keys that other people and companies of the workspace have, too. */
export async function findSharedNames(tx: Tx, keys: readonly string[], ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ name_key: string }>(
    `SELECT DISTINCT name_key FROM entities
     WHERE workspace_id = $1 AND name_key = ANY ($2) AND canonical_id IS NULL AND id <> ALL ($3)`,
    [tx.workspace, keys, ids],
  );
  return new Set(rows.map(row => row.name_key));
}

/** Deletes the identifiers of these entities, also those that they had before they were retracted. @returns the deleted ones. */
export async function deleteIdentifiers(tx: Tx, ids: readonly string[]): Promise<Identifier[]> {
  await tx.query('DELETE FROM retracted_identifiers WHERE workspace_id = $1 AND entity_id = ANY ($2)', [
    tx.workspace,
    ids,
  ]);
  return tx.query<Identifier>(
    'DELETE FROM identifiers WHERE workspace_id = $1 AND entity_id = ANY ($2) RETURNING kind, key, value',
    [tx.workspace, ids],
  );
}

/** Deletes claims, merge decisions, proposals and marks of attention items of these entities. */
export async function deleteDerivedRows(tx: Tx, ids: readonly string[]): Promise<ErasureCounts> {
  const [claims, links, proposals] = [
    await tx.query('DELETE FROM claims WHERE workspace_id = $1 AND entity_id = ANY ($2) RETURNING 1', [
      tx.workspace,
      ids,
    ]),
    await tx.query('DELETE FROM entity_links WHERE workspace_id = $1 AND (a = ANY ($2) OR b = ANY ($2)) RETURNING 1', [
      tx.workspace,
      ids,
    ]),
    await tx.query(
      `DELETE FROM merge_proposals
       WHERE workspace_id = $1 AND (entity_id = ANY ($2) OR other_entity_id = ANY ($2)) RETURNING 1`,
      [tx.workspace, ids],
    ),
  ];
  await tx.query('DELETE FROM attention_marks WHERE workspace_id = $1 AND entity_id = ANY ($2)', [tx.workspace, ids]);
  return { claims: claims.length, links_deleted: links.length + proposals.length };
}

/** Maximum number of rows that a dry run counts in each table. */
export const MAX_COUNTED_ROWS = 100_000;

/**
 * Counts what an erasure would remove, in the newest {@link MAX_COUNTED_ROWS} rows of each table. Mentions are counted by the
 * prefilter, so they may be a few too many.
 * @param prefilter POSIX expression of the mentions.
 */
export async function countErasable(tx: Tx, ids: readonly string[], prefilter: string): Promise<ErasureCounts> {
  const own = (table: string, where = 'true') =>
    `(SELECT count(*)::int FROM ${table} WHERE workspace_id = $1 AND entity_id = ANY ($2) AND ${where})`;
  const mentioned = (table: string, columns: readonly string[], where = 'true') =>
    `(SELECT count(*)::int FROM (
        SELECT ${columns.map((column, i) => `${column} AS c${i}`).join(', ')} FROM ${table}
        WHERE workspace_id = $1 AND ${where} ORDER BY id DESC LIMIT ${MAX_COUNTED_ROWS}) AS newest
      WHERE ${columns.map((_, i) => `c${i} ~* $3`).join(' OR ')})`;
  const notOwn = 'entity_id <> ALL ($2)';
  const [row] = await tx.query<Record<string, number>>(
    `SELECT ${own('identifiers')} AS identifiers, ${own('claims')} AS claims,
       ${own('observation_log', "kind = 'state'")} AS observations_deleted,
       ${own('observation_log', "kind = 'event'")} AS events_anonymized,
       ${own('note_log')} AS notes_deleted, ${own('leads')} AS leads_cleared,
       (SELECT count(*)::int FROM entity_links WHERE workspace_id = $1 AND (a = ANY ($2) OR b = ANY ($2))) AS links_deleted,
       ${mentioned('observation_log', ['value::text', 'raw::text', 'external_id', 'source'], notOwn)} AS observations_redacted,
       ${mentioned('note_log', ['title', 'content', 'participants::text'], notOwn)} AS notes_redacted,
       ${mentioned('leads', ['fields::text', 'original::text', 'layers::text'], notOwn)} AS leads_redacted,
       ${mentioned('workspace_facts', ['content::text'])} AS facts_redacted`,
    [tx.workspace, ids, prefilter],
  );
  return row!;
}
