import { count, counted, cut, wrapped } from './style.mjs';

const INDENT = ' '.repeat(15);
/** Left out while they are 0. */
const RARE = new Set(['recorded before', 'asked to wait']);

/**
 * The figures of a run.
 * @param {import('./tally.mjs').Tally} tally
 * @param {number} seconds
 */
export function figureLines(tally, seconds) {
  const pace = (tally.recorded + tally.repeated) / Math.max(seconds, 0.001);
  const figures = {
    'rows accepted': `${count(tally.accepted)} of ${count(tally.rows)}`,
    'rows rejected': count(tally.rejections.length),
    'observations recorded': count(tally.recorded),
    'recorded before': count(tally.repeated),
    'claims recomputed': count(tally.claims),
    people: count(tally.entities.size),
    'asked to wait': counted(tally.waits, 'time'),
    time: `${seconds.toFixed(1)} s, ${count(pace)} observations/s`,
  };
  const shown = Object.entries(figures).filter(([name, value]) => !(RARE.has(name) && value.startsWith('0')));
  return shown.map(([name, value]) => `  ${name.padEnd(22)}${value}`);
}

/**
 * The rejected rows by the reason that the API gave, the most frequent first, with the cells at fault.
 * @param {readonly import('./tally.mjs').Rejection[]} rejections
 * @param {import('./style.mjs').Paint} paint
 * @param {number} width columns
 */
export function rejectionLines(rejections, paint, width) {
  const inOrder = rejections.toSorted((a, b) => a.row.line - b.row.line);
  const groups = Map.groupBy(inOrder, ({ status, reason }) => `${status} ${kindOf(reason)}`);
  const ranked = [...groups.values()].toSorted((a, b) => b.length - a.length);
  return ranked.flatMap(group => [...headOf(group, paint, width), ...cellsOf(group, paint, width), '']);
}

/** The reason without the ending that it quotes, so that alike faults meet. */
function kindOf(reason) {
  return reason.replaceAll(/"\.[^"]+"(?=;)/g, '".…"');
}

function headOf(group, paint, width) {
  const [{ status, reason }] = group;
  const isOne = group.every(other => other.reason === reason);
  const [first, ...rest] = wrapped(isOne ? reason : kindOf(reason), width - INDENT.length);
  const number = `${count(group.length).padStart(5)} × `;
  return [
    `  ${number}${paint('doubt', String(status))}  ${paint('strong', first)}`,
    ...rest.map(line => INDENT + paint('strong', line)),
  ];
}

/** The broken cells with their lines; for empty cells only the lines. An entry is never broken in two. */
function cellsOf(group, paint, width) {
  const isEmpty = group.every(({ row }) => row.email === '');
  const entries = group.map(({ row }) => (isEmpty ? `${row.line}` : `${row.line}\u00a0${cut(row.email, 40)} `));
  const text = isEmpty ? `empty cell, lines ${entries.join(' ')}` : entries.join(' ');
  return wrapped(text, width - INDENT.length).map(
    line => INDENT + paint('quiet', line.replaceAll('\u00a0', ' ').trimEnd()),
  );
}
