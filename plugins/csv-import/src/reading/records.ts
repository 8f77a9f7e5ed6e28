/** How records of a file are separated. */
export interface RecordFormat {
  /** One character. */
  readonly delimiter: string;
  /** One character that encloses cells; doubled inside of them. */
  readonly quote: string;
  /** The end of a physical line: `\n`, also after `\r`, or `\r` alone in files that have no `\n`. */
  readonly newline: '\n' | '\r';
}

/** Why a record cannot be trusted: a quote that is never closed, or a record that is too long. */
export type RecordProblem = 'unclosed_quote' | 'too_long';

/** A record of the file. */
export interface CsvRecord {
  /** Physical line of its first character, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Its text in the file, with the end of the line. */
  readonly text: string;
  readonly problem?: RecordProblem;
}

/** Maximum length of a record in characters. */
export const MAX_RECORD_LENGTH = 1_000_000;

/** The extent of a record in a text. */
interface Extent {
  readonly cells: string[];
  readonly end: number;
  readonly lines: number;
  readonly problem?: RecordProblem;
}

/** What ends the scan of a record early. */
type Stop = 'incomplete' | RecordProblem;

/**
 * Splits text into records (RFC 4180) with the physical line of each. Memory is bounded by the longest record.
 *
 * `csv-parse` counts a line break of `\r\n` inside quotes twice and takes NUL after a quote for the end of the cell, and
 * no parser of the registry goes on after a quote that is never closed, so this is written here. A quote counts only at
 * the start of a cell. Text after a closing quote belongs to the cell, unless the cell has line breaks: then an earlier
 * quote was never closed, its physical line is a record with that problem, and the next line begins a new record.
 */
export class RecordParser {
  private rest = '';

  /** @param line physical line at which the text begins, from 1 */
  constructor(
    private readonly format: RecordFormat,
    private line = 1,
  ) {}

  /** Returns the records that are complete after more text. @param isLast whether the text ends here */
  *push(text: string, isLast: boolean): Generator<CsvRecord> {
    const all = this.rest === '' ? text : this.rest + text;
    let start = 0;
    while (start < all.length) {
      const extent = this.scan(all, start, isLast);
      if (!extent) break;
      const { cells, end, lines, problem } = extent;
      const record = { line: this.line, cells, text: all.slice(start, end), ...(problem && { problem }) };
      this.line += lines;
      start = end;
      yield record;
    }
    this.rest = all.slice(start);
  }

  /** Finds the extent of the record at `start`; undefined if more text is needed. */
  private scan(all: string, start: number, isLast: boolean): Extent | undefined {
    const cells: string[] = [];
    const stop = this.readCells(all, start, isLast, cells);
    if (typeof stop === 'object') return { cells, ...stop };
    if (stop === 'incomplete') return undefined;
    const end = this.findLineEnd(all, start);
    if (end === undefined && !isLast && all.length - start < MAX_RECORD_LENGTH) return undefined;
    const text = all.slice(start, end ?? all.length);
    return {
      cells: trimLineEnd(text, this.format.newline).split(this.format.delimiter),
      end: end ?? all.length,
      lines: end === undefined ? 0 : 1,
      problem: stop,
    };
  }

  /** Reads the cells of a record into `cells`. */
  private readCells(
    all: string,
    start: number,
    isLast: boolean,
    cells: string[],
  ): Stop | { end: number; lines: number } {
    const { delimiter, quote, newline } = this.format;
    let lines = 0;
    for (let at = start; ;) {
      if (all[at] === quote) {
        const quoted = readQuoted(all, at + 1, quote, newline, start + MAX_RECORD_LENGTH);
        if (quoted === undefined) return isLast ? 'unclosed_quote' : this.needsMore(all, start, 'unclosed_quote');
        const { end, text, lines: inside } = quoted;
        if (!isLast && end + 1 >= all.length) return this.needsMore(all, start, 'unclosed_quote');
        const after = endOfCell(all, end, delimiter, newline);
        const tail = trimTail(all, end, after, newline);
        if (tail !== '' && inside > 0) return 'unclosed_quote';
        cells.push(text + tail);
        lines += inside;
        at = after;
      } else {
        const after = endOfCell(all, at, delimiter, newline);
        cells.push(trimTail(all, at, after, newline));
        at = after;
      }
      if (at >= all.length) return isLast ? { end: at, lines } : this.needsMore(all, start, 'too_long');
      if (at - start > MAX_RECORD_LENGTH) return 'too_long';
      if (all[at] === newline) return { end: at + 1, lines: lines + 1 };
      at += 1;
    }
  }

  private needsMore(all: string, start: number, problem: RecordProblem): Stop {
    return all.length - start > MAX_RECORD_LENGTH ? problem : 'incomplete';
  }

  private findLineEnd(all: string, start: number): number | undefined {
    const at = all.indexOf(this.format.newline, start);
    return at < 0 ? undefined : at + 1;
  }
}

/** Reads the inside of quotes from `from`; undefined if they are not closed before the limit or the end. */
function readQuoted(
  all: string,
  from: number,
  quote: string,
  newline: string,
  limit: number,
): { text: string; end: number; lines: number } | undefined {
  let text = '';
  let lines = 0;
  for (let at = from; ;) {
    const close = all.indexOf(quote, at);
    if (close < 0 || close > limit) return undefined;
    const part = all.slice(at, close);
    for (let each = part.indexOf(newline); each >= 0; each = part.indexOf(newline, each + 1)) lines += 1;
    text += part;
    if (all[close + 1] !== quote) return { text, end: close + 1, lines };
    text += quote;
    at = close + 2;
  }
}

/** Returns the position of the delimiter or line end after `from`, or the length of the text. */
function endOfCell(all: string, from: number, delimiter: string, newline: string): number {
  const [separator, lineEnd] = [delimiter.charCodeAt(0), newline.charCodeAt(0)];
  let at = from;
  for (; at < all.length; at += 1) {
    const code = all.charCodeAt(at);
    if (code === separator || code === lineEnd) break;
  }
  return at;
}

/** Returns the text between two positions, without the `\r` of a line end. */
function trimTail(all: string, from: number, to: number, newline: string): string {
  const isLineEnd = newline === '\n' && to > from && (to === all.length || all[to] === '\n');
  return all.slice(from, isLineEnd && all[to - 1] === '\r' ? to - 1 : to);
}

function trimLineEnd(text: string, newline: string): string {
  const line = text.endsWith(newline) ? text.slice(0, -1) : text;
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
