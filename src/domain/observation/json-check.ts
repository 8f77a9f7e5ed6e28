import type { Json } from './observation.js';

/** Deepest nesting of arrays and objects that is stored. */
export const MAX_DEPTH = 32;

/** What is wrong inside a JSON value: where (a path such as `company.tags[2]`, empty for the value itself) and what. */
export interface Flaw {
  path: string;
  what: string;
}

/** Upper bound of the bytes a value takes as JSON, counted on the way: exact counting is only needed near the limit. */
interface Tally {
  bytes: number;
}

/** A code unit takes at most six bytes in JSON, a number at most 25 characters. */
const BYTES_PER_UNIT = 6;
const BYTES_PER_NUMBER = 25;

/**
 * Undefined when `value` is JSON that PostgreSQL can store within `maxBytes` (UTF-8, as compact JSON) and `MAX_DEPTH`
 * levels; else the first flaw, worded to follow the name of the field.
 */
export function flawOf(value: unknown, maxBytes: number): Flaw | undefined {
  const tally: Tally = { bytes: 0 };
  const flaw = flawInside(value, 0, tally);
  if (flaw) return flaw;
  if (tally.bytes <= maxBytes) return undefined;
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes <= maxBytes) return undefined;
  return { path: '', what: `takes ${bytes} bytes as JSON; at most ${maxBytes} are kept` };
}

/** What makes a text impossible to store in PostgreSQL, or undefined. */
export function flawOfText(text: string): string | undefined {
  if (text.includes('\u0000')) return 'contains a NUL character (U+0000), which cannot be stored; remove it';
  if (!text.isWellFormed()) return 'contains half of a surrogate pair, which is no text; send complete characters';
  return undefined;
}

/** Whether `value` is what JSON calls an object: no array, no instance of a class, made in whichever realm. */
export function isPlainObject(value: unknown): value is Record<string, Json> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || (!Array.isArray(value) && Object.getPrototypeOf(prototype) === null);
}

function flawInside(value: unknown, depth: number, tally: Tally): Flaw | undefined {
  if (typeof value === 'string') {
    tally.bytes += value.length * BYTES_PER_UNIT + 2;
    return here(flawOfText(value));
  }
  if (typeof value === 'number') {
    tally.bytes += BYTES_PER_NUMBER;
    return here(Number.isFinite(value) ? undefined : 'is a number beyond what JSON numbers can hold');
  }
  tally.bytes += 5;
  if (value === null || typeof value === 'boolean') return undefined;
  if (depth >= MAX_DEPTH) return here(`is nested more than ${MAX_DEPTH} levels deep; flatten it`);
  if (Array.isArray(value)) return flawInList(value, depth, tally);
  if (isPlainObject(value)) return flawInObject(value, depth, tally);
  return here('is not JSON');
}

function flawInList(list: unknown[], depth: number, tally: Tally): Flaw | undefined {
  tally.bytes += list.length;
  for (let place = 0; place < list.length; place++) {
    const flaw = flawInside(list[place], depth + 1, tally);
    if (flaw) return below(`[${place}]`, flaw);
  }
  return undefined;
}

function flawInObject(object: Record<string, unknown>, depth: number, tally: Tally): Flaw | undefined {
  for (const key of Object.keys(object)) {
    tally.bytes += key.length * BYTES_PER_UNIT + 4;
    const flaw = here(flawOfText(key)) ?? flawInside(object[key], depth + 1, tally);
    if (flaw) return below(`.${key}`, flaw);
  }
  return undefined;
}

function here(what: string | undefined): Flaw | undefined {
  return what === undefined ? undefined : { path: '', what };
}

function below(step: string, flaw: Flaw): Flaw {
  return { path: step + flaw.path, what: flaw.what };
}
