import { splitPassages } from '#domain/notes/passages.js';
import type { Tx } from '#kernel/db/transaction.js';
import { indexNote } from '../notes/note-index.queries.js';
import { deleteNoteIndex, deleteUnusedWords, listWords } from './note-erasure.js';
import { type ErasedPerson, type ErasurePhase, findWindowEnd, redactNullable, redactValue } from './erasure-phase.js';

const NOTES_PER_WINDOW = 500;
/** Notes are long, and each is indexed again. */
const MAX_CHANGED_NOTES = 10;

interface MentioningNote {
  readonly id: string;
  readonly title: string;
  readonly date: string;
  readonly content: string;
  readonly participants: unknown;
  readonly source: string;
  readonly external_id: string | null;
}

/**
 * Removes mentions of the person from notes on others and indexes these again. The event `note.redacted` has their
 * vectors made again.
 */
export const noteMentionsPhase: ErasurePhase = {
  name: 'mentions in notes',
  run: async (tx, person, cursor) => {
    const end = await findWindowEnd(tx, 'notes', cursor, NOTES_PER_WINDOW);
    if (end === null) return { cursor: null, counts: {} };
    const notes = await readMentioning(tx, person, cursor, end);
    let redacted = 0;
    for (const note of notes) if (await redactNote(tx, person, note)) redacted++;
    const isCut = notes.length === MAX_CHANGED_NOTES;
    return { cursor: isCut ? notes.at(-1)!.id : end, counts: { notes_redacted: redacted } };
  },
};

function readMentioning(
  tx: Tx,
  { ids, matcher }: ErasedPerson,
  after: string | null,
  end: string,
): Promise<MentioningNote[]> {
  return tx.query<MentioningNote>(
    `SELECT id, title, date::text AS date, content, participants, source, external_id FROM notes
     WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id > $2) AND id <= $3 AND entity_id <> ALL ($4)
       AND (title ~* $5 OR content ~* $5 OR participants::text ~* $5 OR source ~* $5 OR external_id ~* $5)
     ORDER BY id LIMIT ${MAX_CHANGED_NOTES}`,
    [tx.workspace, after, end, ids, matcher.prefilter],
  );
}

async function redactNote(tx: Tx, { matcher }: ErasedPerson, note: MentioningNote): Promise<boolean> {
  const title = redactNullable(matcher, note.title);
  const content = redactNullable(matcher, note.content);
  const participants = redactValue(matcher, note.participants);
  const source = redactNullable(matcher, note.source);
  const hasMention = note.external_id !== null && matcher.isPartOf(note.external_id);
  const external_id = hasMention ? `erased:${note.id}` : note.external_id;
  const isTextSame = title === note.title && content === note.content;
  if (isTextSame && participants === note.participants && source === note.source && !hasMention) return false;
  const passages = splitPassages(content);
  await tx.query(
    `UPDATE notes SET title = $3, content = $4, participants = $5, source = $6, external_id = $7, passages = $8
     WHERE workspace_id = $1 AND id = $2`,
    [tx.workspace, note.id, title, content, JSON.stringify(participants), source, external_id, passages.length],
  );
  if (isTextSame) return true;
  await deleteNoteIndex(tx, [note.id]);
  await deleteUnusedWords(tx, listWords([note]), listWords([{ title, content }]));
  await indexNote(tx, note.id, { title, date: note.date }, passages);
  tx.emit({ type: 'note.redacted', payload: { note_id: note.id } });
  return true;
}
