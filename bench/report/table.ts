import { type Finding, verdictOf } from './finding.ts';

const head = ['goal', 'workload', 'ours', 'beside', 'figure', 'min-max', 'floor', 'aim', ''];

/** The findings as a table for a terminal, with the notes below it. */
export function tableOf(findings: readonly Finding[]): string {
  const rows = [head, ...findings.map(cellsOf)];
  const widths = head.map((_, column) => Math.max(...rows.map(row => row[column]!.length)));
  const lines = rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  const notes = findings.flatMap(({ goal, notes: own }) => own.map(note => `  ${goal.padEnd(4)}${note}`));
  return [lines[0], '-'.repeat(lines[0]!.length), ...lines.slice(1), '', ...notes].join('\n');
}

function cellsOf(finding: Finding): string[] {
  const { goal, workload, ours, beside, figure, unit, wanted, floor, aim } = finding;
  const sign = wanted === 'more' ? '>=' : '<=';
  const spread = figure.min === figure.max ? '' : `${short(figure.min)}-${short(figure.max)}`;
  const goalOf = (value: number | undefined) => (value === undefined ? '' : `${sign} ${value}${unit}`);
  const measured = `${short(figure.median)}${unit}`;
  return [goal, workload, ours, beside, measured, spread, goalOf(floor), goalOf(aim), verdictOf(finding)];
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
