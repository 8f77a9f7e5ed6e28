import { createHash } from 'node:crypto';
import { validate as isUuid } from 'uuid';
import { HubError } from '#kernel/errors/hub-error.js';
import type { PageKey, SortValue } from './sort-sql.js';
import type { ListColumn } from './list-source.js';

/** Bound of instants in cursors, in microseconds from 1970: the year 2200. */
const MAX_INSTANT_MICROS = 7_289_654_400_000_000;

/** Hashes what identifies a list: its path, its filter as given, and its order. */
export function hashList(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}

/** Encodes a page key as an opaque cursor. */
export function encodeListCursor({ values, id }: PageKey, hash: string): string {
  return Buffer.from(JSON.stringify([hash, values, id])).toString('base64url');
}

/** Decodes a cursor. @throws HubError `cursor_mismatch` for a cursor of another filter or order, or an invalid one. */
export function decodeListCursor(cursor: string, hash: string, types: readonly ListColumn['type'][]): PageKey {
  const [cursorHash, values, id] = parseParts(cursor);
  const isValid = cursorHash === hash && typeof id === 'string' && isUuid(id) && Array.isArray(values);
  if (!isValid || values.length !== types.length || !values.every((value, i) => isOfType(types[i]!, value)))
    throw new HubError('cursor_mismatch');
  return { values: values as SortValue[], id };
}

/** Returns whether a value can be compared with a column of that type. Callers may send any cursor. */
function isOfType(type: ListColumn['type'], value: unknown): boolean {
  if (value === null) return true;
  if (type === 'float8') return Number.isFinite(value);
  if (type === 'int4') return Number.isInteger(value) && Math.abs(value as number) < 2 ** 31;
  if (type === 'timestamptz') return typeof value === 'number' && Math.abs(value) <= MAX_INSTANT_MICROS;
  if (type === 'bool') return typeof value === 'boolean';
  return typeof value === 'string' && (type === 'uuid' ? isUuid(value) : !value.includes('\0'));
}

function parseParts(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
