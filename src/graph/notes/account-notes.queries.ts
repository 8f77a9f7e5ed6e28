import { type Instant, toIso } from '#domain/time/instant.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import { membersSql } from '../identity/members.queries.js';
import { NOTE_COLUMNS, type NoteRow } from './notes.queries.js';
import { type NotePreview, presentPreview, type PresentedNote, presentNote } from './notes.presenter.js';

/** Notes that an account shows whole, the newest ones, and how many characters of them together. */
const MAX_WHOLE_NOTES = 20;
const MAX_WHOLE_CHARACTERS = 400_000;

/** Notes that an account shows the beginning of, and how much of it. */
const MAX_PREVIEWS = 8;
const MAX_PREVIEW_LENGTH = 200;

/** The notes of an account. */
export interface AccountNotes {
  /** Whole, the newest first; older ones are read one by one. */
  readonly notes: readonly PresentedNote[];
  /** How the newest begin. */
  readonly documents: readonly NotePreview[];
}

/** As of when notes are read; undefined: as they are, those of days to come among them. */
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

/** The newest notes of an entity and of what was merged into it. One statement, which travels with others. */
export async function readAccountNotes(
  tx: Tx,
  entityId: string,
  { asOf, knownAt }: NotesQueryTime,
): Promise<AccountNotes> {
  const rows = await tx.query<NoteRow>(READ_NEWEST, [tx.workspace, entityId, isoOrNull(asOf), isoOrNull(knownAt)]);
  return {
    notes: takeWithinLimit(rows).map(presentNote),
    documents: rows.slice(0, MAX_PREVIEWS).map(row => presentPreview(row, MAX_PREVIEW_LENGTH)),
  };
}

function isoOrNull(instant: Instant | undefined): string | null {
  return instant === undefined ? null : toIso(instant);
}

/** The newest notes that together are not too long; the first one always. */
function takeWithinLimit(rows: readonly NoteRow[]): NoteRow[] {
  let characters = 0;
  return rows.filter(({ content }, i) => (characters += content.length) <= MAX_WHOLE_CHARACTERS || i === 0);
}
