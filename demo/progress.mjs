import { count } from './style.mjs';

const BAR = 32;
const EVERY_MS = 80;

/** One line that says how far the work is. */
export function progressLine(done, total, seconds, rejected) {
  const filled = total === 0 ? BAR : Math.floor((done / total) * BAR);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled);
  const pace = seconds > 0 ? `${count(done / seconds)} rows/s` : '';
  return `  ${bar} ${count(done)}/${count(total)}  ${pace}  ${count(rejected)} rejected`;
}

/**
 * Shows progress: a bar that redraws itself on a terminal, a line at every tenth elsewhere.
 * @param {NodeJS.WriteStream} stream
 * @param {number} total
 */
export function openProgress(stream, total) {
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  let drawnAt = -Infinity;
  const onTerminal = ({ rows, rejections }) => {
    const now = performance.now();
    if (rows < total && now - drawnAt < EVERY_MS) return;
    drawnAt = now;
    stream.write(`\r\u001b[2K${progressLine(rows, total, seconds(), rejections.length)}`);
  };
  const inLines = ({ rows, rejections }) => {
    if (rows % Math.ceil(total / 10) !== 0 && rows !== total) return;
    stream.write(`  ${count(rows)} of ${count(total)} rows, ${count(rejections.length)} rejected\n`);
  };
  return {
    update: stream.isTTY ? onTerminal : inLines,
    /** Ends the line. @returns the seconds since the start */
    end: () => {
      if (stream.isTTY) stream.write('\n');
      return seconds();
    },
  };
}
