import { appendFile, rm, stat, truncate, writeFile } from 'node:fs/promises';

/** A rejected row. */
export interface RejectedRow {
  readonly line: number;
  readonly error: string;
  readonly reason: string;
  readonly cells: readonly string[];
}

/** Writes rejected rows with reasons to a CSV file, which is created for the first row. */
export class RejectsFile {
  constructor(
    readonly path: string,
    private readonly headers: readonly string[],
  ) {}

  /** Truncates the file to its length at the last checkpoint. @param bytes that length */
  async resume(bytes: number): Promise<void> {
    if (bytes === 0) await rm(this.path, { force: true });
    else if (((await stat(this.path).catch(() => undefined))?.size ?? 0) > bytes) await truncate(this.path, bytes);
  }

  /** Appends rows. @returns the new length of the file in bytes */
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
