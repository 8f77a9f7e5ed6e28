import { NIL } from 'uuid';
import {
  buildIndexTerms,
  type CharacterSpan,
  cutCharacterSpans,
  findPassageSpans,
  listSpellableWords,
  type NoteHeader,
  type PassageSpan,
  toCharacterSpans,
} from '#domain/notes/passages.js';
import type { Tx } from '#kernel/db/transaction.js';
import { flatMapYielding } from '#kernel/scheduling/cooperative-scheduler.js';

/** Work units per character, for stemming, normalizing and looking up its word. */
const UNITS_PER_CHARACTER = 16;

/** The count of a term in a passage, and the passage's length in tokens. */
export interface TermRow {
  readonly note_id: string;
  readonly position: number;
  readonly term: string;
  readonly count: number;
  readonly length: number;
}

/** SQL of the text of a passage `c` of a note `n`. */
export const PASSAGE_TEXT_SQL = 'substr(n.content, c.start + 1, c.length)';

/** Bits of a posting, from the lowest: length, count, position; the number of the note takes the other 31. */
const [LENGTH_BITS, COUNT_BITS, POSITION_BITS] = [11, 9, 12];
const NOTE_SHIFT = LENGTH_BITS + COUNT_BITS + POSITION_BITS;
const MAX_LENGTH = 2 ** LENGTH_BITS - 1;
const MAX_COUNT = 2 ** COUNT_BITS - 1;
/** A note of the largest size has fewer passages. Further ones would not be searched. */
const MAX_INDEXED_PASSAGES = 2 ** POSITION_BITS;

/**
 * Builds the index terms of a note's passages, yielding to other requests between them. Counts, lengths and the number
 * of passages are bounded by the bits of a posting.
 */
export function toTermRows(noteId: string, head: NoteHeader, passages: readonly string[]): Promise<TermRow[]> {
  const rowsOf = (passage: string, position: number): TermRow[] => {
    const { counts, length } = buildIndexTerms(passage, head);
    return [...counts].map(([term, count]) => ({
      note_id: noteId,
      position,
      term,
      count: Math.min(count, MAX_COUNT),
      length: Math.min(length, MAX_LENGTH),
    }));
  };
  return flatMapYielding(passages.slice(0, MAX_INDEXED_PASSAGES), rowsOf, ({ length }) => length * UNITS_PER_CHARACTER);
}

/** Returns the total number of tokens of the passages in the rows of a note. */
function countTokens(rows: readonly TermRow[]): number {
  const lengths = new Map(rows.map(({ position, length }) => [position, length]));
  return [...lengths.values()].reduce((sum, length) => sum + length, 0);
}

const PACKED_POSTING_SQL = `(number::bigint << ${NOTE_SHIFT}) | (position::bigint << ${LENGTH_BITS + COUNT_BITS})
   | (count::bigint << ${LENGTH_BITS}) | length::bigint`;

/** SQL of the number of the note, the position, the count and the length of a `posting`. */
export const POSTING_COLUMNS = `(posting >> ${NOTE_SHIFT})::int AS number,
  (posting >> ${LENGTH_BITS + COUNT_BITS} & ${MAX_INDEXED_PASSAGES - 1})::int AS position,
  (posting >> ${LENGTH_BITS} & ${MAX_COUNT})::int AS count, (posting & ${MAX_LENGTH})::int AS length`;

/** A row with so many postings, or words, takes no more of another note. It fits into a page several times. */
const MAX_ITEMS_PER_ROW = 28;

/** A note to index. */
export interface NoteText extends NoteHeader {
  readonly content: string;
}

/** Saves the passages of a note with their terms and words. Sent with COMMIT. @param spans passages of the content. */
export async function indexNote(
  tx: Tx,
  noteId: string,
  head: NoteText,
  spans: readonly PassageSpan[] = findPassageSpans(head.content),
): Promise<void> {
  const passages = spans.map(({ start, end }) => head.content.slice(start, end));
  const places = toCharacterSpans(head.content, spans);
  const rows = await toTermRows(noteId, head, passages);
  tx.deferToCommit(
    `INSERT INTO note_chunks (workspace_id, note_id, position, start, length)
     SELECT $1, $2, n - 1, start, length FROM unnest($3::int[], $4::int[]) WITH ORDINALITY AS passage (start, length, n)`,
    [tx.workspace, noteId, places.map(({ start }) => start), places.map(({ length }) => length)],
  );
  saveTerms(tx, noteId, rows, passages.length);
  const words = await flatMapYielding(
    [head.title, ...passages],
    listSpellableWords,
    ({ length }) => length * UNITS_PER_CHARACTER,
  );
  saveWords(tx, [...new Set(words)].toSorted());
}

/**
 * Gives a note the next number and adds its postings to the last row of each term, or to a new one. The numbers of
 * passages and tokens come first, which locks their row, so that notes of a workspace are numbered in the order in which
 * their postings are added.
 */
const ADD_NOTE = `
  WITH counted AS (
     INSERT INTO note_statistics AS s (workspace_id, passages, tokens, last_number) VALUES ($1, $3, $4, 1)
     ON CONFLICT (workspace_id) DO UPDATE
     SET passages = s.passages + $3, tokens = s.tokens + $4, last_number = s.last_number + 1
     RETURNING last_number
   ), numbered AS (
     INSERT INTO note_numbers (workspace_id, number, note_id) SELECT $1, last_number, $2 FROM counted RETURNING number
   ), added AS MATERIALIZED (
     SELECT term, array_agg(${PACKED_POSTING_SQL} ORDER BY position) AS postings
     FROM numbered, unnest($5::text[], $6::int[], $7::int[], $8::int[]) AS posting (term, position, count, length)
     GROUP BY term
   )
   INSERT INTO note_terms AS t (workspace_id, term, block, postings)
   SELECT $1, term, coalesce(last.block + CASE WHEN last.size < ${MAX_ITEMS_PER_ROW} THEN 0 ELSE 1 END, 0), postings
   FROM added LEFT JOIN LATERAL (
     SELECT block, cardinality(postings) AS size FROM note_terms
     WHERE workspace_id = $1 AND term = added.term ORDER BY block DESC LIMIT 1
   ) AS last ON true
   ORDER BY term
   ON CONFLICT (workspace_id, term, block) DO UPDATE SET postings = t.postings || excluded.postings`;

/**
 * Saves the terms of a note, and adds its passages and tokens to those of the workspace. Sent with COMMIT.
 * @param passages number of passages of the note.
 */
export function saveTerms(tx: Tx, noteId: string, rows: readonly TermRow[], passages: number): void {
  tx.deferToCommit(ADD_NOTE, [
    tx.workspace,
    noteId,
    passages,
    countTokens(rows),
    rows.map(r => r.term),
    rows.map(r => r.position),
    rows.map(r => r.count),
    rows.map(r => r.length),
  ]);
}

/**
 * Saves words and their trigrams for spelling correction. Sent with COMMIT, after {@link saveTerms}, which lets the
 * transactions of a workspace take turns.
 */
export function saveWords(tx: Tx, words: readonly string[]): void {
  tx.deferToCommit(
    `WITH fresh AS (
       INSERT INTO note_words (workspace_id, word) SELECT $1, word FROM unnest($2::text[]) AS word
       ON CONFLICT DO NOTHING RETURNING word
     ), added AS MATERIALIZED (
       SELECT trigram, array_agg(word) AS words FROM fresh, unnest(show_trgm(word)) AS trigram GROUP BY trigram
     )
     INSERT INTO note_trigrams AS t (workspace_id, trigram, block, words)
     SELECT $1, trigram, coalesce(last.block + CASE WHEN last.size < ${MAX_ITEMS_PER_ROW} THEN 0 ELSE 1 END, 0), words
     FROM added LEFT JOIN LATERAL (
       SELECT block, cardinality(words) AS size FROM note_trigrams
       WHERE workspace_id = $1 AND trigram = added.trigram ORDER BY block DESC LIMIT 1
     ) AS last ON true
     ORDER BY trigram
     ON CONFLICT (workspace_id, trigram, block) DO UPDATE SET words = t.words || excluded.words`,
    [tx.workspace, words],
  );
}

/** A note with its indexed passages in order. */
export interface IndexedNote extends NoteHeader {
  readonly id: string;
  readonly passages: readonly string[];
}

/** Reads the next notes in ID order. @param after last ID of the previous page. */
export async function readNotesToIndex(tx: Tx, after: string | undefined, limit: number): Promise<IndexedNote[]> {
  const notes = await tx.query<NoteText & { id: string; spans: CharacterSpan[] }>(
    `SELECT n.id, n.title, n.date::text AS date, n.content, p.spans FROM (
       SELECT id, title, date, content FROM notes WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3) AS n
     CROSS JOIN LATERAL (
       SELECT coalesce(json_agg(json_build_object('start', start, 'length', length) ORDER BY position), '[]') AS spans
       FROM note_chunks WHERE workspace_id = $1 AND note_id = n.id) AS p
     ORDER BY n.id`,
    [tx.workspace, after ?? NIL, limit],
  );
  return notes.map(({ content, spans, ...note }) => ({ ...note, passages: cutCharacterSpans(content, spans) }));
}

/** SQL that is true for rows of `note_terms` that may hold postings of the note numbers between $2 and $3. */
const MAY_HOLD = `postings[1] >> ${NOTE_SHIFT} <= $3 AND postings[cardinality(postings)] >> ${NOTE_SHIFT} >= $2`;

/** Reads the stored terms of these notes. Reads all terms of the workspace. */
export async function readTerms(tx: Tx, noteIds: readonly string[]): Promise<TermRow[]> {
  const numbers = await tx.query<{ number: number }>(
    'SELECT number FROM note_numbers WHERE workspace_id = $1 AND note_id = ANY ($2::uuid[])',
    [tx.workspace, noteIds],
  );
  const range = toRange(numbers.map(({ number }) => number));
  return tx.query<TermRow>(
    `SELECT n.note_id, stored.position, stored.term, stored.count, stored.length FROM (
       SELECT term, ${POSTING_COLUMNS} FROM note_terms, unnest(postings) AS posting
       WHERE workspace_id = $1 AND ${MAY_HOLD}) AS stored
     JOIN note_numbers n ON n.workspace_id = $1 AND n.number = stored.number
     WHERE n.note_id = ANY ($4::uuid[])`,
    [tx.workspace, ...range, noteIds],
  );
}

/**
 * Deletes the terms of these notes, and subtracts their passages and tokens from those of the workspace. Reads all terms
 * of the workspace. Whatever adds terms waits until the transaction ends.
 * @param passages number of passages of these notes.
 */
export async function deleteTerms(tx: Tx, noteIds: readonly string[], passages: number): Promise<void> {
  await tx.query('SELECT 1 FROM note_statistics WHERE workspace_id = $1 FOR UPDATE', [tx.workspace]);
  const rows = await tx.query<{ number: number }>(
    'DELETE FROM note_numbers WHERE workspace_id = $1 AND note_id = ANY ($2::uuid[]) RETURNING number',
    [tx.workspace, noteIds],
  );
  if (rows.length === 0) return;
  const numbers = rows.map(({ number }) => number);
  await tx.query(
    `WITH stored AS MATERIALIZED (
       SELECT term, block, postings, ARRAY(
         SELECT posting FROM unnest(postings) AS posting WHERE posting >> ${NOTE_SHIFT} <> ALL ($4::bigint[]) ORDER BY 1
       ) AS remaining
       FROM note_terms WHERE workspace_id = $1 AND ${MAY_HOLD}
     ), emptied AS (
       DELETE FROM note_terms t USING stored
       WHERE t.workspace_id = $1 AND t.term = stored.term AND t.block = stored.block AND remaining = '{}'
     ), shortened AS (
       UPDATE note_terms t SET postings = remaining FROM stored
       WHERE t.workspace_id = $1 AND t.term = stored.term AND t.block = stored.block
         AND remaining <> '{}' AND cardinality(remaining) < cardinality(stored.postings)
     )
     UPDATE note_statistics SET passages = passages - $5, tokens = tokens - (
       SELECT coalesce(sum(length), 0) FROM (
         SELECT DISTINCT number, position, length FROM (
           SELECT ${POSTING_COLUMNS} FROM stored, unnest(postings) AS posting) AS removed
         WHERE number = ANY ($4::bigint[])) AS passage)
     WHERE workspace_id = $1`,
    [tx.workspace, ...toRange(numbers), numbers, passages],
  );
}

function toRange(numbers: readonly number[]): [number, number] {
  return numbers.reduce(([low, high], number) => [Math.min(low, number), Math.max(high, number)], [2 ** 31 - 1, 0]);
}
