import { isPlainObject } from '#domain/observation/value-issue.js';
import type { Instant } from '#domain/time/instant.js';
import { type FieldCatalogue, resolveField } from './field-catalogue.js';
import type { Field, Filter, FilterProblem } from './filter.js';
import { CLAIM_QUALITY_FIELDS, parseQualityCondition } from './parse-claim-quality.js';
import { parseOperator } from './parse-operator.js';

/** Maximum nesting depth and number of conditions of a filter. */
export const MAX_FILTER_DEPTH = 8;
export const MAX_FILTER_CONDITIONS = 64;

/** A filter, or all its problems. */
export type FilterResult =
  | { readonly ok: true; readonly filter: Filter }
  | { readonly ok: false; readonly problems: readonly FilterProblem[] };

interface ParseState {
  readonly catalogue: FieldCatalogue;
  readonly now: Instant;
  readonly problems: FilterProblem[];
  conditions: number;
}

/**
 * Parses a filter: fields with a value (`{"title": "CTO"}`) or with conditions (`{"title": {"$contains": "vp",
 * "freshness": "fresh"}}`), combined with `$and`, `$or` and `$not`. All keys of one object must match. Relative times
 * count from `now`.
 */
export function parseFilter(raw: unknown, catalogue: FieldCatalogue, now: Instant, path = 'filter'): FilterResult {
  const reading: ParseState = { catalogue, now, problems: [], conditions: 0 };
  const filter = parseGroup(raw, path, 1, reading);
  if (reading.conditions > MAX_FILTER_CONDITIONS)
    reportProblem(reading, path, `A filter has at most ${MAX_FILTER_CONDITIONS} conditions.`);
  return reading.problems.length > 0 ? { ok: false, problems: reading.problems } : { ok: true, filter };
}

function parseGroup(raw: unknown, path: string, depth: number, reading: ParseState): Filter {
  if (!isPlainObject(raw)) return reportProblem(reading, path, `${path} must be an object such as {"title": "CTO"}.`);
  if (depth > MAX_FILTER_DEPTH)
    return reportProblem(reading, path, `A filter is nested at most ${MAX_FILTER_DEPTH} deep.`);
  const parts = Object.entries(raw).map(([key, operand]) => parsePart(key, operand, `${path}.${key}`, depth, reading));
  return parts.length === 1 ? parts[0]! : { all: parts };
}

function parsePart(key: string, operand: unknown, path: string, depth: number, reading: ParseState): Filter {
  if (key === '$not') return { not: parseGroup(operand, path, depth + 1, reading) };
  if (key === '$and' || key === '$or') {
    if (!Array.isArray(operand) || operand.length === 0 || operand.length > MAX_FILTER_CONDITIONS)
      return reportProblem(reading, path, `${key} takes a list of 1 to ${MAX_FILTER_CONDITIONS} filters.`);
    const parts = operand.map((part, i) => parseGroup(part, `${path}[${i}]`, depth + 1, reading));
    return key === '$and' ? { all: parts } : { any: parts };
  }
  const field = resolveField(reading.catalogue, key);
  if (!field) return reportProblem(reading, path, `"${key.slice(0, 80)}" is neither a field nor a property.`);
  return parseConditions(field, operand, path, reading);
}

function parseConditions(field: Field, operand: unknown, path: string, reading: ParseState): Filter {
  if (!isPlainObject(operand)) return parseCondition('$eq', field, operand, path, reading);
  const conditions = Object.entries(operand);
  if (conditions.length === 0)
    return reportProblem(reading, path, `${path} has no condition; say for example {"$exists": true}.`);
  return { all: conditions.map(([op, value]) => parseCondition(op, field, value, `${path}.${op}`, reading)) };
}

function parseCondition(op: string, field: Field, operand: unknown, path: string, reading: ParseState): Filter {
  reading.conditions++;
  const report = (message: string): undefined => void reportProblem(reading, path, `${path}: ${message}.`);
  const what = CLAIM_QUALITY_FIELDS.find(name => name === op);
  const filter = what
    ? parseQualityCondition(what, field, operand, reading.now, report)
    : parseOperator(op, field, operand, reading.now, report);
  return filter ?? { all: [] };
}

function reportProblem({ problems }: ParseState, field: string, message: string): Filter {
  if (problems.length < 50) problems.push({ field: field.slice(0, 200), message });
  return { all: [] };
}
