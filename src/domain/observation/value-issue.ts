import type { JsonValue } from './observation.js';

/** Maximum nesting of arrays and objects. */
export const MAX_JSON_DEPTH = 32;

/** A problem inside a JSON value: its path (such as `company.tags[2]`, empty for the value itself) and message. */
export interface ValueIssue {
  path: string;
  message: string;
}

/** Upper bound of the size as JSON, counted during the traversal; the exact size is computed only near the limit. */
interface SizeTally {
  bytes: number;
}

/** A code unit takes at most six bytes in JSON, a number at most 25 characters. */
const BYTES_PER_UNIT = 6;
const BYTES_PER_NUMBER = 25;

/**
 * Returns undefined if `value` is JSON that PostgreSQL can store within `maxBytes` (UTF-8, compact JSON) and {@link
 * MAX_JSON_DEPTH} levels; else the first problem, worded to follow the name of the field.
 */
export function findIssue(value: unknown, maxBytes: number): ValueIssue | undefined {
  const tally: SizeTally = { bytes: 0 };
  const flaw = findIssueInside(value, 0, tally);
  if (flaw) return flaw;
  if (tally.bytes <= maxBytes) return undefined;
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes <= maxBytes) return undefined;
  return { path: '', message: `takes ${bytes} bytes as JSON; at most ${maxBytes} are kept` };
}

/** Returns why PostgreSQL cannot store a text, or undefined. */
export function findTextIssue(text: string): string | undefined {
  if (text.includes('\u0000')) return 'contains a NUL character (U+0000), which cannot be stored; remove it';
  if (!text.isWellFormed()) return 'contains half of a surrogate pair, which is no text; send complete characters';
  return undefined;
}

/** Returns whether `value` is a JSON object: not an array and not an instance of a class, from any realm. */
export function isPlainObject(value: unknown): value is Record<string, JsonValue> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || (!Array.isArray(value) && Object.getPrototypeOf(prototype) === null);
}

function findIssueInside(value: unknown, depth: number, tally: SizeTally): ValueIssue | undefined {
  if (typeof value === 'string') {
    tally.bytes += value.length * BYTES_PER_UNIT + 2;
    return toIssue(findTextIssue(value));
  }
  if (typeof value === 'number') {
    tally.bytes += BYTES_PER_NUMBER;
    return toIssue(Number.isFinite(value) ? undefined : 'is a number beyond what JSON numbers can hold');
  }
  tally.bytes += 5;
  if (value === null || typeof value === 'boolean') return undefined;
  if (depth >= MAX_JSON_DEPTH) return toIssue(`is nested more than ${MAX_JSON_DEPTH} levels deep; flatten it`);
  if (Array.isArray(value)) return findListIssue(value, depth, tally);
  if (isPlainObject(value)) return findObjectIssue(value, depth, tally);
  return toIssue('is not JSON');
}

function findListIssue(list: unknown[], depth: number, tally: SizeTally): ValueIssue | undefined {
  tally.bytes += list.length;
  for (let place = 0; place < list.length; place++) {
    const flaw = findIssueInside(list[place], depth + 1, tally);
    if (flaw) return prefixIssue(`[${place}]`, flaw);
  }
  return undefined;
}

function findObjectIssue(object: Record<string, unknown>, depth: number, tally: SizeTally): ValueIssue | undefined {
  for (const key of Object.keys(object)) {
    tally.bytes += key.length * BYTES_PER_UNIT + 4;
    const flaw = toIssue(findTextIssue(key)) ?? findIssueInside(object[key], depth + 1, tally);
    if (flaw) return prefixIssue(`.${key}`, flaw);
  }
  return undefined;
}

function toIssue(message: string | undefined): ValueIssue | undefined {
  return message === undefined ? undefined : { path: '', message };
}

function prefixIssue(step: string, flaw: ValueIssue): ValueIssue {
  return { path: step + flaw.path, message: flaw.message };
}
