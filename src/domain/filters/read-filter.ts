import { isPlainObject } from '#domain/observation/json-check.js';
import type { Instant } from '#domain/time/instant.js';
import { type Catalogue, fieldOf } from './fields.js';
import type { Field, Filter, FilterProblem } from './filter.js';
import { EPISTEMICS, readEpistemic } from './read-epistemics.js';
import { readOperator } from './read-test.js';

/** How deep a filter may be nested, and how many conditions it may have. */
export const MAX_DEPTH = 8;
export const MAX_CONDITIONS = 64;

/** A filter, or everything that is wrong with it. */
export type ReadFilter =
  | { readonly ok: true; readonly filter: Filter }
  | { readonly ok: false; readonly problems: readonly FilterProblem[] };

interface Reading {
  readonly catalogue: Catalogue;
  readonly now: Instant;
  readonly problems: FilterProblem[];
  conditions: number;
}

/**
 * Reads a filter: fields with a value (`{"title": "CTO"}`) or with conditions (`{"title": {"$contains": "vp",
 * "freshness": "fresh"}}`), put together with `$and`, `$or` and `$not`. Several keys of one object must all hold.
 * Relative times count from `now`.
 */
export function readFilter(raw: unknown, catalogue: Catalogue, now: Instant, path = 'filter'): ReadFilter {
  const reading: Reading = { catalogue, now, problems: [], conditions: 0 };
  const filter = readGroup(raw, path, 1, reading);
  if (reading.conditions > MAX_CONDITIONS) refuse(reading, path, `A filter has at most ${MAX_CONDITIONS} conditions.`);
  return reading.problems.length > 0 ? { ok: false, problems: reading.problems } : { ok: true, filter };
}

function readGroup(raw: unknown, path: string, depth: number, reading: Reading): Filter {
  if (!isPlainObject(raw)) return refuse(reading, path, `${path} must be an object such as {"title": "CTO"}.`);
  if (depth > MAX_DEPTH) return refuse(reading, path, `A filter is nested at most ${MAX_DEPTH} deep.`);
  const parts = Object.entries(raw).map(([key, operand]) => readPart(key, operand, `${path}.${key}`, depth, reading));
  return parts.length === 1 ? parts[0]! : { all: parts };
}

function readPart(key: string, operand: unknown, path: string, depth: number, reading: Reading): Filter {
  if (key === '$not') return { not: readGroup(operand, path, depth + 1, reading) };
  if (key === '$and' || key === '$or') {
    if (!Array.isArray(operand) || operand.length === 0 || operand.length > MAX_CONDITIONS)
      return refuse(reading, path, `${key} takes a list of 1 to ${MAX_CONDITIONS} filters.`);
    const parts = operand.map((part, i) => readGroup(part, `${path}[${i}]`, depth + 1, reading));
    return key === '$and' ? { all: parts } : { any: parts };
  }
  const field = fieldOf(reading.catalogue, key);
  if (!field) return refuse(reading, path, `"${key.slice(0, 80)}" is neither a field nor a property.`);
  return readConditions(field, operand, path, reading);
}

function readConditions(field: Field, operand: unknown, path: string, reading: Reading): Filter {
  if (!isPlainObject(operand)) return readCondition('$eq', field, operand, path, reading);
  const conditions = Object.entries(operand);
  if (conditions.length === 0)
    return refuse(reading, path, `${path} has no condition; say for example {"$exists": true}.`);
  return { all: conditions.map(([op, value]) => readCondition(op, field, value, `${path}.${op}`, reading)) };
}

function readCondition(op: string, field: Field, operand: unknown, path: string, reading: Reading): Filter {
  reading.conditions++;
  const told = (message: string): undefined => void refuse(reading, path, `${path}: ${message}.`);
  const what = EPISTEMICS.find(name => name === op);
  const filter = what
    ? readEpistemic(what, field, operand, reading.now, told)
    : readOperator(op, field, operand, reading.now, told);
  return filter ?? { all: [] };
}

function refuse({ problems }: Reading, field: string, message: string): Filter {
  if (problems.length < 50) problems.push({ field: field.slice(0, 200), message });
  return { all: [] };
}
