import type { Terminal } from './terminal.js';

const ANSI_CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** Functions that style text for a terminal. */
export type Colors = Readonly<Record<keyof typeof ANSI_CODES, (text: string) => string>>;

/** Creates styles for a stream. Text stays plain if the stream is not a terminal, or with NO_COLOR or TERM=dumb. */
export function createColors(terminal: Terminal, stream: 'stdout' | 'stderr' = 'stdout'): Colors {
  const { env } = terminal;
  const plain = Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb' || terminal[stream].isTTY !== true;
  const paint =
    ([open, close]: readonly [number, number]) =>
    (text: string) =>
      plain ? text : `\x1b[${open}m${text}\x1b[${close}m`;
  const { bold, dim, red, green, yellow, cyan } = ANSI_CODES;
  return {
    bold: paint(bold),
    dim: paint(dim),
    red: paint(red),
    green: paint(green),
    yellow: paint(yellow),
    cyan: paint(cyan),
  };
}
