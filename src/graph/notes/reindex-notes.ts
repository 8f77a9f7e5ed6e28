import { listSpellableWords } from '#domain/notes/passages.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import {
  saveTerms,
  saveWords,
  type TermRow,
  toTermRows,
  type IndexedNote,
  readNotesToIndex,
  deleteTerms,
  readTerms,
} from './note-index.queries.js';

/** Progress of reindexing. */
export interface ReindexProgress {
  readonly notes: number;
  readonly passages: number;
  /** Notes whose stored terms differ from those that this version derives. */
  readonly changed: number;
}

/** Options of reindexing. */
export interface ReindexOptions {
  /** Counts changes without writing them. */
  readonly dryRun: boolean;
  readonly onProgress?: (progress: ReindexProgress) => void;
}

const NOTES_PER_TRANSACTION = 100;

/**
 * Derives the terms of every note of a workspace again with this version's tokenizer and thesaurus, and saves those that
 * differ. Notes and passages are unchanged. Safe next to live traffic: each transaction replaces the terms of up to 100
 * notes, so a search never sees a note partly reindexed.
 */
export async function reindexNotes(
  work: UnitOfWork,
  workspace: string,
  options: ReindexOptions,
): Promise<ReindexProgress> {
  let done: ReindexProgress = { notes: 0, passages: 0, changed: 0 };
  for (let after: string | undefined; ;) {
    const last = after;
    const page = await work.run(workspace, tx => reindexPage(tx, last, options.dryRun));
    if (page.last === undefined) return done;
    after = page.last;
    done = {
      notes: done.notes + page.notes,
      passages: done.passages + page.passages,
      changed: done.changed + page.changed,
    };
    options.onProgress?.(done);
  }
}

async function reindexPage(tx: Tx, after: string | undefined, dryRun: boolean) {
  const notes = await readNotesToIndex(tx, after, NOTES_PER_TRANSACTION);
  const stored = Map.groupBy(
    await readTerms(
      tx,
      notes.map(({ id }) => id),
    ),
    ({ note_id }) => note_id,
  );
  const changed: ChangedNote[] = [];
  for (const note of notes) {
    const [before, rows] = [stored.get(note.id) ?? [], await toTermRows(note.id, note, note.passages)];
    if (!areSameTerms(before, rows)) changed.push({ note, rows });
  }
  if (!dryRun && changed.length > 0) await replaceTerms(tx, changed);
  const passages = notes.reduce((sum, note) => sum + note.passages.length, 0);
  return { last: notes.at(-1)?.id, notes: notes.length, passages, changed: changed.length };
}

interface ChangedNote {
  readonly note: IndexedNote;
  readonly rows: readonly TermRow[];
}

async function replaceTerms(tx: Tx, changed: readonly ChangedNote[]): Promise<void> {
  const passages = changed.reduce((sum, { note }) => sum + note.passages.length, 0);
  await deleteTerms(
    tx,
    changed.map(({ note }) => note.id),
    passages,
  );
  for (const { note, rows } of changed) saveTerms(tx, note.id, rows, note.passages.length);
  saveWords(tx, listSpellableWords(changed.flatMap(({ note }) => [note.title, ...note.passages]).join('\n')));
}

function areSameTerms(before: readonly TermRow[], rows: readonly TermRow[]): boolean {
  const toKey = ({ position, term, count, length }: TermRow) => `${position} ${term} ${count} ${length}`;
  const keys = new Set(before.map(toKey));
  return before.length === rows.length && rows.every(row => keys.has(toKey(row)));
}
