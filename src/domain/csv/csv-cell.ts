/** Characters with which spreadsheet programs begin a formula (OWASP, CSV injection). */
const FORMULA_START = /^[=+\-@\t\r]/;

/**
 * Formats a cell of CSV (RFC 4180): quotes a value where needed; a value that a spreadsheet program would take for a
 * formula gets an apostrophe. Null and undefined are empty.
 */
export function toCsvCell(value: unknown): string {
  const raw = value === null || value === undefined ? '' : String(value);
  const text = FORMULA_START.test(raw) ? `'${raw}` : raw;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Formats a line of CSV with its end. Objects and lists become JSON. */
export function toCsvLine(values: readonly unknown[]): string {
  const cells = values.map(value => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value));
  return `${cells.map(toCsvCell).join(',')}\r\n`;
}
