import type { NoteType } from '#domain/notes/note.js';
import type { Tx } from '#kernel/db/transaction.js';
import { NOTE_COLUMNS, type NoteRow } from './notes.queries.js';

/** Sort key of the last note of a page. */
export interface NotePageKey {
  readonly date: string;
  readonly id: string;
}

/** Selects a page of notes. */
export interface NotesListQuery {
  /** Notes of these entities only; undefined for all. */
  readonly entityIds: readonly string[] | undefined;
  readonly type: NoteType | undefined;
  readonly after: NotePageKey | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Reads a page of notes, newest date first. With `after` (keyset pagination) every page costs the same. */
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

/** Reads a note by its ID. Returns undefined if the workspace has no such note. */
export async function readNote(tx: Tx, id: string): Promise<NoteRow | undefined> {
  const [row] = await tx.query<NoteRow>(
    `SELECT ${NOTE_COLUMNS} FROM notes n JOIN entities e ON e.workspace_id = $1 AND e.id = n.entity_id
     WHERE n.workspace_id = $1 AND n.id = $2`,
    [tx.workspace, id],
  );
  return row;
}

/**
 * Reads the IDs of the entities whose notes count as those of the given ones: the members of their clusters, and the
 * people of companies among them.
 */
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
