/** Letters that Unicode does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  þ: 'th',
};

/** Reduces a header to lower-case letters and digits without accents, so that spellings of one name agree. */
export function toHeaderKey(header: string): string {
  return header
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ßøłæœđðþ]/g, letter => LETTERS[letter]!)
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Cleans a cell: no invisible characters, no space around it, and no apostrophe with which spreadsheets mark text. */
export function cleanCell(cell: string): string {
  const text = cell
    .replace(/[\u200b\u200e\u200f\u2060\ufeff]/g, '')
    .replaceAll('\u00a0', ' ')
    .trim();
  return /^'[=+\-@\d]/.test(text) ? text.slice(1) : text;
}

/** Joiners of several values in one cell: Google Contacts, and exports of associations. */
const VALUE_JOINERS = [' ::: ', ';', '\n'];

/** Splits a cell that holds several values. */
export function splitValues(cell: string): string[] {
  const joiner = VALUE_JOINERS.find(each => cell.includes(each));
  const parts = joiner === undefined ? [cell] : cell.split(joiner);
  return parts.map(part => part.trim()).filter(part => part !== '');
}
