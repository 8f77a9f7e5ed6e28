import { type Instant, toIsoOrNull } from '#domain/time/instant.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { NoteType } from '#domain/notes/note.js';
import { membersSql } from '../identity/links.queries.js';
import { NOTE_COLUMNS, type NoteRow } from './notes.queries.js';
import { type NotePreview, presentPreview, type PresentedNote, presentNote } from './notes.presenter.js';

/** Maximum number of newest notes that an account shows in full, and their maximum total length in characters. */
const MAX_WHOLE_NOTES = 20;
const MAX_WHOLE_CHARACTERS = 400_000;

/** Maximum number of note previews in an account, and their maximum length in characters. */
const MAX_PREVIEWS = 8;
const MAX_PREVIEW_LENGTH = 200;

/** Notes of an account. */
export interface AccountNotes {
  /** In full, newest first. Older notes are read individually. */
  readonly notes: readonly PresentedNote[];
  /** Previews of the newest notes. */
  readonly documents: readonly NotePreview[];
}

/** The point in time of a notes query. If both are undefined, future-dated notes are included. */
export interface NotesQueryTime {
  readonly asOf: Instant | undefined;
  readonly knownAt: Instant | undefined;
}

const READ_NEWEST = prepare(
  `SELECT ${NOTE_COLUMNS} FROM (${membersSql(2)}) AS member
   JOIN LATERAL (
     SELECT * FROM notes own
     WHERE own.workspace_id = $1 AND own.entity_id = member.id
       AND own.date <= coalesce($3::timestamptz AT TIME ZONE 'UTC', 'infinity')
       AND own.created_at <= coalesce($4::timestamptz, 'infinity')
     ORDER BY own.date DESC, own.id DESC LIMIT ${MAX_WHOLE_NOTES}
   ) n ON true
   JOIN LATERAL (
     SELECT id, canonical_id FROM entities owner WHERE owner.workspace_id = $1 AND owner.id = n.entity_id OFFSET 0
   ) e ON true
   ORDER BY n.date DESC, n.id DESC LIMIT ${MAX_WHOLE_NOTES}`,
);

/** Reads the newest notes of an entity and of the entities merged into it. One statement. */
export async function readAccountNotes(
  tx: Tx,
  entityId: string,
  { asOf, knownAt }: NotesQueryTime,
): Promise<AccountNotes> {
  const rows = await tx.query<NoteRow>(READ_NEWEST, [tx.workspace, entityId, toIsoOrNull(asOf), toIsoOrNull(knownAt)]);
  return {
    notes: takeWithinLimit(rows).map(presentNote),
    documents: rows.slice(0, MAX_PREVIEWS).map(row => presentPreview(row, MAX_PREVIEW_LENGTH)),
  };
}

/** Returns the newest notes within the total length; always the first one. */
function takeWithinLimit(rows: readonly NoteRow[]): NoteRow[] {
  let characters = 0;
  return rows.filter(({ content }, i) => (characters += content.length) <= MAX_WHOLE_CHARACTERS || i === 0);
}

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
