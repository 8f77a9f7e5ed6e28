import { type Instant, toIsoOrNull } from '#domain/time/instant.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import { membersSql } from '../identity/members.queries.js';
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
