import { indexTermsOf, type NoteHead, spellableWords } from '#domain/notes/index-terms.js';
import type { NoteType } from '#domain/notes/note.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';

/** A note as it is kept. */
export interface NoteRow {
  readonly id: string;
  /** The canonical id of the contact that it is kept on. */
  readonly entity_id: string;
  readonly type: NoteType;
  readonly title: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly content: string;
  readonly source: string;
  readonly external_id: string | null;
  readonly participants: readonly string[];
  readonly passages: number;
  readonly created_at: Instant;
}

/** A note to be kept; `entity_id` is that of the entity itself. */
export type NewNote = Omit<NoteRow, 'created_at'>;

/** The columns of a note, from `notes n JOIN entities e`. */
export const noteColumns = `n.id, coalesce(e.canonical_id, e.id) AS entity_id, n.type, n.title, n.date::text AS date,
  n.content, n.source, n.external_id, n.participants, n.passages, n.created_at`;

/** Keeps a note, unless its contact has one with this source and external id. @returns when it was kept. */
export async function insertNote(tx: Tx, note: NewNote): Promise<Instant | undefined> {
  const [row] = await tx.query<{ created_at: Instant }>(
    `INSERT INTO notes (workspace_id, id, entity_id, type, title, date, content, source, external_id, participants,
                        passages)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (workspace_id, entity_id, source, external_id) WHERE external_id IS NOT NULL DO NOTHING
     RETURNING created_at`,
    [
      tx.workspace,
      note.id,
      note.entity_id,
      note.type,
      note.title,
      note.date,
      note.content,
      note.source,
      note.external_id,
      JSON.stringify(note.participants),
      note.passages,
    ],
  );
  return row?.created_at;
}

/** The note of an entity that has this source and external id. */
export async function findByExternalId(
  tx: Tx,
  entityId: string,
  { source, external_id }: Pick<NoteRow, 'source' | 'external_id'>,
): Promise<NoteRow | undefined> {
  const [row] = await tx.query<NoteRow>(
    `SELECT ${noteColumns} FROM notes n JOIN entities e ON e.workspace_id = $1 AND e.id = n.entity_id
     WHERE n.workspace_id = $1 AND n.entity_id = $2 AND n.source = $3 AND n.external_id = $4`,
    [tx.workspace, entityId, source, external_id],
  );
  return row;
}

/** Keeps the passages of a note and what they are found by. Sent with COMMIT. */
export function indexNote(tx: Tx, noteId: string, head: NoteHead, passages: readonly string[]): void {
  const terms = passages.map(passage => indexTermsOf(passage, head));
  const rows = terms.flatMap(({ counts, length }, place) =>
    [...counts].map(([term, count]) => ({ term, place, count, length })),
  );
  tx.queryWithCommit(
    `INSERT INTO note_chunks (workspace_id, note_id, place, text)
     SELECT $1, $2, n - 1, text FROM unnest($3::text[]) WITH ORDINALITY AS passage (text, n)`,
    [tx.workspace, noteId, passages],
  );
  tx.queryWithCommit(
    `INSERT INTO note_terms (workspace_id, note_id, term, place, count, length)
     SELECT $1, $2, * FROM unnest($3::text[], $4::smallint[], $5::smallint[], $6::smallint[])`,
    [
      tx.workspace,
      noteId,
      rows.map(r => r.term),
      rows.map(r => r.place),
      rows.map(r => r.count),
      rows.map(r => r.length),
    ],
  );
  keepWords(tx, spellableWords([head.title, ...passages].join('\n')));
  countPassages(
    tx,
    passages.length,
    terms.reduce((sum, { length }) => sum + length, 0),
  );
}

/** Words come in one order, so that two notes with the same new words wait for each other instead of deadlocking. */
function keepWords(tx: Tx, words: readonly string[]): void {
  tx.queryWithCommit(
    `WITH fresh AS (
       INSERT INTO note_words (workspace_id, word) SELECT $1, word FROM unnest($2::text[]) AS word
       ON CONFLICT DO NOTHING RETURNING word
     )
     INSERT INTO note_trigrams (workspace_id, trigram, word)
     SELECT $1, trigram, word FROM fresh, unnest(show_trgm(word)) AS trigram`,
    [tx.workspace, words],
  );
}

function countPassages(tx: Tx, passages: number, tokens: number): void {
  tx.queryWithCommit(
    `INSERT INTO note_statistics AS s (workspace_id, passages, tokens) VALUES ($1, $2, $3)
     ON CONFLICT (workspace_id) DO UPDATE SET passages = s.passages + $2, tokens = s.tokens + $3`,
    [tx.workspace, passages, tokens],
  );
}
