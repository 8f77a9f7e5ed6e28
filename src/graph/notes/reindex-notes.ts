import { listSpellableWords } from '#domain/notes/index-terms.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { addPassageCounts, saveTerms, saveWords, type TermRow, toTermRows, countTokens } from './note-index.queries.js';
import { type IndexedNote, readNotesToIndex, deleteTerms, readTerms } from './reindex.queries.js';

/** How far a reindexing is. */
export interface ReindexProgress {
  readonly notes: number;
  readonly passages: number;
  /** Notes whose kept terms differed from what this version makes of them. */
  readonly changed: number;
}

/** What is wanted of a reindexing. */
export interface ReindexOptions {
  /** Only count what would change. */
  readonly dryRun: boolean;
  readonly onProgress?: (soFar: ReindexProgress) => void;
}

const NOTES_PER_TRANSACTION = 100;

/**
 * Makes the terms of every note of a workspace anew, as the tokenizer and the thesaurus of this version read them, and
 * keeps what differs. Passages and notes stay. Runs beside live traffic, a hundred notes at a time; a search sees a
 * note as it was or as it is, never half.
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
  const kept = Map.groupBy(
    await readTerms(
      tx,
      notes.map(({ id }) => id),
    ),
    ({ note_id }) => note_id,
  );
  const changed: ChangedNote[] = [];
  for (const note of notes) {
    const [before, rows] = [kept.get(note.id) ?? [], await toTermRows(note.id, note, note.passages)];
    if (!areSameTerms(before, rows)) changed.push({ note, before, rows });
  }
  if (!dryRun && changed.length > 0) await replaceTerms(tx, changed);
  const passages = notes.reduce((sum, note) => sum + note.passages.length, 0);
  return { last: notes.at(-1)?.id, notes: notes.length, passages, changed: changed.length };
}

interface ChangedNote {
  readonly note: IndexedNote;
  readonly before: readonly TermRow[];
  readonly rows: readonly TermRow[];
}

async function replaceTerms(tx: Tx, changed: readonly ChangedNote[]): Promise<void> {
  const rows = changed.flatMap(each => each.rows);
  await deleteTerms(
    tx,
    changed.map(({ note }) => note.id),
  );
  saveTerms(tx, rows);
  saveWords(tx, listSpellableWords(changed.flatMap(({ note }) => [note.title, ...note.passages]).join('\n')));
  addPassageCounts(tx, 0, countTokens(rows) - countTokens(changed.flatMap(({ before }) => before)));
}

function areSameTerms(before: readonly TermRow[], rows: readonly TermRow[]): boolean {
  const name = ({ position, term, count, length }: TermRow) => `${position} ${term} ${count} ${length}`;
  const known = new Set(before.map(name));
  return before.length === rows.length && rows.every(row => known.has(name(row)));
}
