import { Utf8Writer } from '#kernel/http/json-text.js';
import { ITEM_UNITS, mapYielding } from '#kernel/scheduling/yield.js';

/** Separates JSON texts, none of which can contain it: JSON escapes control characters. */
const SEPARATOR = '\x1e';

/**
 * Encodes a list as a PostgreSQL array literal for a parameter of any array type: null and undefined become NULL,
 * buffers become `bytea`, nested lists become dimensions, everything else is quoted text. The driver's own encoder
 * copies every text twice, which costs a write more than parsing its request.
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
 * Encodes values as JSON in one text, for {@link jsonArraySql}; undefined and null become NULL. Escaping JSON, which
 * is full of quotes, for an array literal would take longer than serializing it.
 */
export function encodeJsonArray(values: readonly unknown[]): string {
  return joinJsonTexts(values.map(value => (value === null || value === undefined ? '' : JSON.stringify(value))));
}

/** Joins values that are JSON texts already, none of them empty, for {@link jsonArraySql}. */
export function joinJsonTexts(texts: readonly string[]): string {
  return texts.join(SEPARATOR);
}

/** Characters of JSON text that are encoded without yielding. */
const MAX_ENCODED_AT_ONCE = 64 * 1024;

/**
 * Joins JSON texts like {@link joinJsonTexts}; long ones are encoded as UTF-8 in slices, because the driver would
 * encode them all at once. A parameter of the type `text` accepts either result.
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
 * Returns the SQL that splits the text of {@link encodeJsonArray} into an array. Cast it where the database reads the
 * JSON: `${jsonArraySql(3)}::json[]`. Use it in `unnest` beside longer lists, which pads with NULL: a list of one
 * NULL is an empty array here.
 * @param position number of the parameter.
 */
export function jsonArraySql(position: number): string {
  return `string_to_array($${position}, E'\\x1e', '')`;
}
