import { appendFile, rm, stat, truncate, writeFile } from 'node:fs/promises';

/** A row that was not taken. */
export interface RejectedRow {
  readonly line: number;
  readonly error: string;
  readonly reason: string;
  readonly cells: readonly string[];
}

/** The rows that were not taken, as a CSV file with reasons, made when the first one comes. */
export class RejectsFile {
  constructor(
    readonly path: string,
    private readonly headers: readonly string[],
  ) {}

  /** Makes the file what it was when the import was left. @param bytes its length then */
  async resume(bytes: number): Promise<void> {
    if (bytes === 0) await rm(this.path, { force: true });
    else if (((await stat(this.path).catch(() => undefined))?.size ?? 0) > bytes) await truncate(this.path, bytes);
  }

  /** Appends rows. @returns the length of the file after it */
  async add(rejects: readonly RejectedRow[], before: number): Promise<number> {
    if (rejects.length === 0) return before;
    const lines = rejects.map(({ line, error, reason, cells }) => csvLine([String(line), error, reason, ...cells]));
    const text = lines.join('');
    if (before > 0) await appendFile(this.path, text);
    else await writeFile(this.path, csvLine(['line', 'error', 'reason', ...this.headers]) + text);
    return (await stat(this.path)).size;
  }
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;
}
