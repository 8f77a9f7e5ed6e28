import type { ImportRun } from './types.ts';

/** A run as it is shown. */
export interface ShownRun {
  readonly run: ImportRun;
  /** Whether it recorded something that can be taken back. */
  readonly isUndoable: boolean;
  /** The newest dry run of its undo, if there is one. */
  readonly undo: ImportRun | undefined;
}

const ENDED: ReadonlySet<string> = new Set(['finished', 'failed', 'cancelled']);

/**
 * Returns the runs of a file to show: all but dry runs of an undo, which belong to the import that they are about. An import
 * can be taken back once, and only the newest one, because an undo retracts everything that the file has stated.
 * @param runs newest first
 */
export function listShownRuns(runs: readonly ImportRun[]): ShownRun[] {
  const isDone = (run: ImportRun) => !run.dry_run && (run.kind === 'undo' ? run.status === 'finished' : true);
  const last = runs.find(isDone);
  return runs
    .filter(({ kind, dry_run }) => kind === 'import' || !dry_run)
    .map(run => {
      const isUndoable = run === last && run.kind === 'import' && ENDED.has(run.status);
      const later = runs.slice(0, runs.indexOf(run));
      const undo = isUndoable ? later.find(({ kind, dry_run }) => kind === 'undo' && dry_run) : undefined;
      return { run, isUndoable, undo };
    });
}
