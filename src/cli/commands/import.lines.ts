import { counted, pairs, printable, table } from '../base/lines.js';
import type { Rehearsed } from '../import/rehearse.js';
import { type Column, targetWords } from '../import/mapping.js';
import { type Imported, type ImportPlan, rowsIn } from '../import/run-import.js';

/** The mapping as a table. */
export function linesOfMapping(columns: readonly Column[]): string[] {
  const rows = columns.map(column => [printable(column.header), targetWords(column), column.from]);
  return table(['COLUMN', 'BECOMES', 'WHY'], rows, 'There are no columns.').map(line => `  ${line}`);
}

/** A rehearsal for people. */
export function linesOfRehearsal({ rows, batches, flawed, sample }: Rehearsed): string[] {
  return [
    `${counted(rows, 'row')} in ${counted(batches, 'call')}; nothing was sent.`,
    ...(flawed > 0
      ? [`${counted(flawed, 'line has', 'lines have')} more cells than the header, and would be rejected.`]
      : []),
    'The first rows:',
    ...sample.map(row => `  ${printable(row)}`),
  ];
}

/** What came of an import, for people. */
export function linesOfImport(imported: Imported, { list, rejectsPath }: ImportPlan): string[] {
  const { created, matched, duplicate, rejected, resumedAt, batches, listId } = imported;
  const was = resumedAt === batches && batches > 0 ? 'This file was imported before; nothing was sent.' : undefined;
  const on =
    resumedAt > 0 && resumedAt < batches ? `Went on after ${counted(resumedAt, 'call')} of an earlier run.` : undefined;
  return [
    ...[was, on].filter(line => line !== undefined),
    ...pairs({
      rows: rowsIn(imported).toLocaleString('en-US'),
      new: created.toLocaleString('en-US'),
      known: matched.toLocaleString('en-US'),
      'in the list': `${duplicate.toLocaleString('en-US')} already`,
      rejected: rejected > 0 ? `${rejected.toLocaleString('en-US')}, with reasons in ${rejectsPath}` : '0',
      list: `${list}${listId === null ? '' : ` (${listId})`}`,
    }),
  ];
}

/** The same for programs. */
export function dataOf(plan: ImportPlan, outcome: Imported | (Rehearsed & { dry_run: true })): object {
  const { file, columns, list, rejectsPath } = plan;
  const mapping = Object.fromEntries(
    columns.map(({ header, target }) => [
      header,
      'field' in target ? target.field : 'kept' in target ? `fields.${target.kept}` : null,
    ]),
  );
  const about = { file: file.path, sha256: file.hash, list, mapping };
  if ('dry_run' in outcome) return { ...about, ...outcome };
  const { listId, created, matched, duplicate, rejected, batches, resumedAt } = outcome;
  return {
    ...about,
    list_id: listId,
    rows: rowsIn(outcome),
    created,
    matched,
    duplicate,
    rejected,
    rejected_file: rejected > 0 ? rejectsPath : null,
    calls: batches - resumedAt,
    resumed_after: resumedAt,
  };
}
