import type { EntityType } from '#domain/identity/focus.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';

/** Index entries that are read for one form of a word. */
const MAX_ENTRIES_PER_FORM = 1_000;
/** Entities that are compared with the words of a query. */
const MAX_DRIVEN_ENTITIES = 3_000;
/** Entities that are ranked. */
const MAX_RANKED_ENTITIES = 200;
/** Distinct words that are compared with a mistyped one. */
const MAX_NEAR_WORDS = 2_000;
const MAX_IDENTIFIERS = 50;

/** The last character, which no word has: the end of a range of words with one beginning. */
const LAST_CHARACTER = '\u{10FFFF}';
/** A character that no word has, before all others: ends the range of one word. */
const FIRST_CHARACTER = '\u0001';

/** A range of indexed words that satisfy one word of a query. */
export interface WordForm {
  /** Position of the word in the query. */
  readonly word: number;
  readonly low: string;
  readonly high: string;
}

/** Returns the range of the words that begin with a text. */
export const beginningWith = (word: number, start: string): WordForm => ({
  word,
  low: start,
  high: start + LAST_CHARACTER,
});

/** Returns the range that has one word only. */
export const exactly = (word: number, text: string): WordForm => ({ word, low: text, high: text + FIRST_CHARACTER });

/** An entity that may match a query. */
export interface SearchRow {
  readonly id: string;
  readonly type: EntityType;
  readonly name: string | null;
  readonly last_activity_at: Instant | null;
  /** Name of the company of a person. */
  readonly company: string | null;
}

/** An entity with an identifier that matches a query. */
export interface IdentifierMatch {
  readonly id: string;
  readonly kind: 'email' | 'domain';
  readonly key: string;
}

/**
 * Makes the rest of the transaction read tables by indexes, which begin with the workspace, so that a plan made without
 * statistics never reads the rows of all workspaces.
 */
export async function readByIndexOnly(tx: Tx): Promise<void> {
  await tx.query("SELECT set_config('enable_seqscan', 'off', true)");
}

/**
 * Returns entities whose name, or the name of whose company, has at least `minWords` words of a query, of which their
 * own name has one. Reads a bounded number of index entries: some may be missing if each word of the query is frequent.
 * @param drivers positions of the words from which entities are found.
 */
export function findByWords(
  tx: Tx,
  forms: readonly WordForm[],
  drivers: readonly number[],
  minWords: number,
  types: readonly EntityType[],
): Promise<SearchRow[]> {
  return tx.query<SearchRow>(
    `WITH form AS MATERIALIZED (
       SELECT * FROM unnest($2::int[], $3::text[], $4::text[]) AS form (word, low, high)
     ), driven AS MATERIALIZED (
       SELECT DISTINCT found.entity_id FROM (
         SELECT entry.entity_id FROM form CROSS JOIN LATERAL (
           SELECT entity_id FROM name_words n
           WHERE n.workspace_id = $1 AND n.word >= form.low AND n.word < form.high LIMIT ${MAX_ENTRIES_PER_FORM}) AS entry
         WHERE form.word = ANY ($5::int[])) AS found
       LIMIT ${MAX_DRIVEN_ENTITIES})
     SELECT e.id, e.type, e.name, e.last_activity_at, e.company
     FROM driven JOIN LATERAL (
       SELECT id, type, name, company_id, canonical_id, last_activity_at,
              (SELECT name FROM entities c WHERE c.workspace_id = $1 AND c.id = own.company_id) AS company
       FROM entities own WHERE own.workspace_id = $1 AND own.id = driven.entity_id OFFSET 0) AS e ON true
     WHERE e.canonical_id IS NULL AND e.type = ANY ($6) AND $7 <= (
       SELECT count(DISTINCT form.word) FROM form JOIN LATERAL (
         SELECT FROM name_words n
         WHERE n.workspace_id = $1 AND n.entity_id = ANY (ARRAY[e.id, e.company_id])
           AND n.word >= form.low AND n.word < form.high LIMIT 1) AS matching ON true)
     ORDER BY e.last_activity_at DESC NULLS LAST, e.id LIMIT ${MAX_RANKED_ENTITIES}`,
    [
      tx.workspace,
      forms.map(({ word }) => word),
      forms.map(({ low }) => low),
      forms.map(({ high }) => high),
      drivers,
      types,
      minWords,
    ],
  );
}

/** Returns these entities. */
export function readSearchRows(tx: Tx, ids: readonly string[], types: readonly EntityType[]): Promise<SearchRow[]> {
  return tx.query<SearchRow>(
    `SELECT e.id, e.type, e.name, e.last_activity_at,
            (SELECT name FROM entities c WHERE c.workspace_id = $1 AND c.id = e.company_id) AS company
     FROM entities e WHERE e.workspace_id = $1 AND e.id = ANY ($2::uuid[]) AND e.canonical_id IS NULL AND e.type = ANY ($3)`,
    [tx.workspace, ids, types],
  );
}

/**
 * Returns distinct indexed words that begin, or with `reversed` end, with a text. Steps from one word to the next, so
 * that a frequent name costs as much as a rare one.
 * @param text the beginning, or the reversed ending.
 */
export async function readWordsNear(tx: Tx, text: string, column: 'word' | 'reversed'): Promise<string[]> {
  const first = `SELECT n.${column} AS text FROM name_words n
    WHERE n.workspace_id = $1 AND n.${column} >= $2 AND n.${column} < $3 ORDER BY n.${column} LIMIT 1`;
  const rows = await tx.query<{ text: string }>(
    `WITH RECURSIVE near AS (
       (${first})
       UNION ALL
       SELECT (SELECT n.${column} FROM name_words n
               WHERE n.workspace_id = $1 AND n.${column} > near.text AND n.${column} < $3 ORDER BY n.${column} LIMIT 1)
       FROM near WHERE near.text IS NOT NULL)
     SELECT ${column === 'word' ? 'text' : 'reverse(text) AS text'} FROM near WHERE text IS NOT NULL LIMIT ${MAX_NEAR_WORDS}`,
    [tx.workspace, text, text + LAST_CHARACTER],
  );
  return rows.map(row => row.text);
}

/** Returns the owners of e-mail addresses and domains that begin with one of these texts, at most fifty of each. */
export function findByIdentifierStart(tx: Tx, starts: readonly string[]): Promise<IdentifierMatch[]> {
  return tx.query<IdentifierMatch>(
    `SELECT coalesce(e.canonical_id, e.id) AS id, i.kind, i.key
     FROM unnest($2::text[]) AS start, unnest(ARRAY['email', 'domain']) AS kind
     CROSS JOIN LATERAL (
       SELECT kind, key, entity_id FROM identifiers own
       WHERE own.workspace_id = $1 AND own.kind = kind.kind AND own.key >= start.start
         AND own.key < start.start || '${LAST_CHARACTER}'
       ORDER BY own.key LIMIT ${MAX_IDENTIFIERS}) AS i
     JOIN LATERAL (
       SELECT id, canonical_id FROM entities own WHERE own.workspace_id = $1 AND own.id = i.entity_id OFFSET 0) AS e ON true`,
    [tx.workspace, starts],
  );
}
