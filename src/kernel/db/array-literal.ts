import { Utf8Writer } from '#kernel/http/json-text.js';
import { ITEM_UNITS, mapYielding } from '#kernel/scheduling/yield.js';

/** Stands between JSON texts, none of which can hold it: JSON writes control characters as escapes. */
const SEPARATOR = '\x1e';

/**
 * A list as PostgreSQL writes an array, for a parameter of any array type: nothing becomes NULL, bytes become `bytea`,
 * lists inside become dimensions, everything else is quoted text. The driver would do the same, but rewrites every text
 * twice, which costs a write more than reading its request.
 */
export function toArrayLiteral(list: readonly unknown[]): string {
  let literal = '{';
  for (let i = 0; i < list.length; i++) literal += i === 0 ? toArrayElement(list[i]) : `,${toArrayElement(list[i])}`;
  return `${literal}}`;
}

function toArrayElement(item: unknown): string {
  if (item === null || item === undefined) return 'NULL';
  if (typeof item === 'string') return `"${escapeQuoted(item)}"`;
  if (Buffer.isBuffer(item)) return `"\\\\x${item.toString('hex')}"`;
  if (Array.isArray(item)) return toArrayLiteral(item);
  if (typeof item === 'object') throw new TypeError('a list for the database holds texts, numbers, bytes or lists');
  return String(item);
}

function escapeQuoted(text: string): string {
  if (!text.includes('"') && !text.includes('\\')) return text;
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

/**
 * Values as JSON in one text, for {@link jsonArraySql}; undefined and null become NULL. Full of quotes as JSON is, escaping
 * it for an array takes longer than making it.
 */
export function encodeJsonArray(values: readonly unknown[]): string {
  return joinJsonTexts(values.map(value => (value === null || value === undefined ? '' : JSON.stringify(value))));
}

/** The same of values that are JSON texts already, none of them empty. */
export function joinJsonTexts(texts: readonly string[]): string {
  return texts.join(SEPARATOR);
}

/** Characters of JSON texts that are encoded at once. */
const MAX_ENCODED_AT_ONCE = 64 * 1024;

/**
 * The same in UTF-8, made in slices where the texts are long together: the driver would encode them all at once. A
 * parameter of the type `text` takes either.
 */
export async function encodeJsonTexts(texts: readonly string[]): Promise<string | Buffer> {
  const length = texts.reduce((sum, text) => sum + text.length + 1, 0);
  if (length <= MAX_ENCODED_AT_ONCE) return joinJsonTexts(texts);
  const writer = new Utf8Writer(length);
  const write = (text: string, i: number) => writer.write(i === 0 ? text : SEPARATOR + text);
  await mapYielding(texts, write, text => ITEM_UNITS + text.length);
  return writer.bytes();
}

/**
 * SQL for the texts of a {@link encodeJsonArray}, to be cast where the database looks into them: `${jsonsIn(3)}::json[]`. For
 * `unnest` beside longer lists, which fills up with NULL: a list of one NULL is an empty array here.
 * @param position number of the parameter.
 */
export function jsonArraySql(position: number): string {
  return `string_to_array($${position}, E'\\x1e', '')`;
}
