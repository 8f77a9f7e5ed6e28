/** Characters with which spreadsheet programs begin a formula. */
const FORMULA_START = /^[=+\-@\t\r]/;

/** Formats rows as CSV (RFC 4180). A cell that a spreadsheet program would take for a formula begins with an apostrophe. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map(cells => `${cells.map(toCell).join(',')}\r\n`).join('');
}

function toCell(raw: string): string {
  const text = FORMULA_START.test(raw) ? `'${raw}` : raw;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
