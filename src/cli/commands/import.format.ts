import { pluralize, formatFieldLines, toPrintable, formatTableLines } from '../base/format.js';
import type { DryRunResult } from '../import/dry-run.js';
import { type ImportColumn, describeTarget } from '../import/mapping.js';
import { type ImportResult, type ImportPlan, countProcessedRows } from '../import/run-import.js';

/** Formats the mapping as a table. */
export function formatMapping(columns: readonly ImportColumn[]): string[] {
  const rows = columns.map(column => [toPrintable(column.header), describeTarget(column), column.from]);
  return formatTableLines(['COLUMN', 'BECOMES', 'WHY'], rows, 'There are no columns.').map(line => `  ${line}`);
}

/** Formats the result of a dry run. */
export function formatDryRun({ rows, batches, flawed, sample }: DryRunResult): string[] {
  return [
    `${pluralize(rows, 'row')} in ${pluralize(batches, 'request')}; nothing was sent.`,
    ...(flawed > 0
      ? [`${pluralize(flawed, 'line has', 'lines have')} more cells than the header, and would be rejected.`]
      : []),
    'The first rows:',
    ...sample.map(row => `  ${toPrintable(row)}`),
  ];
}

/** Formats the result of an import. */
export function formatImportResult(imported: ImportResult, { list, rejectsPath }: ImportPlan): string[] {
  const { created, matched, duplicate, rejected, resumedAt, batches, listId } = imported;
  const was = resumedAt === batches && batches > 0 ? 'This file was imported before; nothing was sent.' : undefined;
  const on =
    resumedAt > 0 && resumedAt < batches
      ? `Went on after ${pluralize(resumedAt, 'call')} of an earlier run.`
      : undefined;
  return [
    ...[was, on].filter(line => line !== undefined),
    ...formatFieldLines({
      rows: countProcessedRows(imported).toLocaleString('en-US'),
      new: created.toLocaleString('en-US'),
      known: matched.toLocaleString('en-US'),
      'in the list': `${duplicate.toLocaleString('en-US')} already`,
      rejected: rejected > 0 ? `${rejected.toLocaleString('en-US')}, with reasons in ${rejectsPath}` : '0',
      list: `${list}${listId === null ? '' : ` (${listId})`}`,
    }),
  ];
}

/** Builds the JSON document of an import or a dry run. */
export function toImportJson(plan: ImportPlan, outcome: ImportResult | (DryRunResult & { dry_run: true })): object {
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
    rows: countProcessedRows(outcome),
    created,
    matched,
    duplicate,
    rejected,
    rejected_file: rejected > 0 ? rejectsPath : null,
    calls: batches - resumedAt,
    resumed_after: resumedAt,
  };
}
