import type { NoteType } from '#domain/notes/note.js';
import type { Tx } from '#kernel/db/transaction.js';
import { NOTE_COLUMNS, type NoteRow } from './notes.queries.js';

/** A place in a list of notes: behind which one the next page begins. */
export interface NotePageKey {
  readonly date: string;
  readonly id: string;
}

/** Which notes are listed. */
export interface NotesListQuery {
  /** Of these entities; undefined: of everybody. */
  readonly entityIds: readonly string[] | undefined;
  readonly type: NoteType | undefined;
  readonly after: NotePageKey | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Notes, the newest first by their date. With a place the page costs the same however far down it lies. */
export function readNotes(tx: Tx, { entityIds, type, after, offset, limit }: NotesListQuery): Promise<NoteRow[]> {
  const values: unknown[] = [tx.workspace, limit, offset];
  const param = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    'n.workspace_id = $1',
    "n.date > '-infinity'",
    ...(entityIds ? [`n.entity_id = ANY (${param(entityIds)}::uuid[])`] : []),
    ...(type ? [`n.type = ${param(type)}`] : []),
    ...(after ? [`(n.date, n.id) < (${param(after.date)}::date, ${param(after.id)}::uuid)`] : []),
  ];
  return tx.query<NoteRow>(
    `SELECT ${NOTE_COLUMNS} FROM notes n JOIN entities e ON e.workspace_id = $1 AND e.id = n.entity_id
     WHERE ${conditions.join(' AND ')} ORDER BY n.date DESC, n.id DESC LIMIT $2 OFFSET $3`,
    values,
  );
}

/** One note by its id. */
export async function readNote(tx: Tx, id: string): Promise<NoteRow | undefined> {
  const [row] = await tx.query<NoteRow>(
    `SELECT ${NOTE_COLUMNS} FROM notes n JOIN entities e ON e.workspace_id = $1 AND e.id = n.entity_id
     WHERE n.workspace_id = $1 AND n.id = $2`,
    [tx.workspace, id],
  );
  return row;
}

/** Whose notes and passages count as those of an entity: its cluster's, and of a company also its people's. */
export async function readNoteHolderIds(tx: Tx, canonicalIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `WITH cluster AS (
       SELECT id FROM entities WHERE workspace_id = $1 AND id = ANY ($2::uuid[])
       UNION SELECT id FROM entities WHERE workspace_id = $1 AND canonical_id = ANY ($2::uuid[])
     )
     SELECT id FROM cluster
     UNION SELECT person.id FROM entities person JOIN cluster ON person.company_id = cluster.id
       WHERE person.workspace_id = $1`,
    [tx.workspace, canonicalIds],
  );
  return rows.map(({ id }) => id);
}
