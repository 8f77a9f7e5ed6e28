import { cn } from '../ui/cn.ts';
import { importWords } from '../words/imports.ts';
import type { ImportRun } from './types.ts';

/** What a run is and how it stands, in two words. */
export function RunState({ run: { kind, dry_run, status } }: { run: ImportRun }) {
  const isBad = status === 'failed';
  const isDone = status === 'finished' && !dry_run;
  return (
    <span
      className={cn(
        'rounded-full border px-2 py-0.5 text-xs whitespace-nowrap',
        isBad && 'border-against/40 text-against',
        isDone && 'border-for/40 text-for',
        !isBad && !isDone && 'border-line text-quiet',
      )}
    >
      {dry_run ? importWords.dryRun : importWords.kind[kind]}: {importWords.status[status] ?? status}
    </span>
  );
}
