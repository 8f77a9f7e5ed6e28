import type { NoteType } from '#domain/notes/note.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';

/** A stored note. */
export interface NoteRow {
  readonly id: string;
  /** Canonical ID of the entity the note is attached to. */
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

/** A note to insert; `entity_id` is the entity's own ID, not its canonical one. */
export type NewNote = Omit<NoteRow, 'created_at'>;

/** SQL of the columns of a {@link NoteRow}, from `notes n JOIN entities e`. */
export const NOTE_COLUMNS = `n.id, coalesce(e.canonical_id, e.id) AS entity_id, n.type, n.title, n.date::text AS date,
  n.content, n.source, n.external_id, n.participants, n.passages, n.created_at`;

/**
 * Inserts a note, unless its entity has one with this source and external ID.
 * @returns the time of creation; undefined if there was a note already.
 */
export async function insertNote(tx: Tx, note: NewNote): Promise<Instant | undefined> {
  const [row] = await tx.query<{ created_at: Instant }>(
    `INSERT INTO note_log (workspace_id, id, entity_id, type, title, date, content, source, external_id, participants,
                        passages)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (workspace_id, entity_id, source, external_id) WHERE external_id IS NOT NULL AND retracted_at IS NULL DO NOTHING
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

/** Reads the note of an entity with this source and external ID. */
export async function findNoteByExternalId(
  tx: Tx,
  entityId: string,
  { source, external_id }: Pick<NoteRow, 'source' | 'external_id'>,
): Promise<NoteRow | undefined> {
  const [row] = await tx.query<NoteRow>(
    `SELECT ${NOTE_COLUMNS} FROM notes n JOIN entities e ON e.workspace_id = $1 AND e.id = n.entity_id
     WHERE n.workspace_id = $1 AND n.entity_id = $2 AND n.source = $3 AND n.external_id = $4`,
    [tx.workspace, entityId, source, external_id],
  );
  return row;
}
