import { isPlainObject } from '../observation/observation.js';
import type { Instant } from '../time/instant.js';
import {
  type Field,
  type Filter,
  type ComparisonOperator,
  type Comparand,
  type FieldKind,
  type FieldCatalogue,
  resolveField,
  toClaimField,
  type FilterProblem,
} from './filter.js';
import { parseComparand, parseBound, parseSubstring } from './comparand.js';
import {
  CLAIM_QUALITY_FIELDS,
  MAX_FILTER_VALUES,
  parseQualityCondition,
  type RejectCondition,
} from './claim-quality.js';

type OperatorParser = (field: Field, raw: unknown, now: Instant, refuse: RejectCondition) => Filter | undefined;

const COMPARISON_OPERATORS: Readonly<Record<string, ComparisonOperator>> = {
  $gt: '>',
  $gte: '>=',
  $lt: '<',
  $lte: '<=',
};
const orderedKinds = new Set<FieldKind>(['claim', 'text', 'name', 'number', 'time']);
const textKinds = new Set<FieldKind>(['claim', 'text', 'name', 'email', 'linkedin', 'domain']);

const operatorParsers: Readonly<Record<string, OperatorParser>> = {
  $eq: (field, raw, now, refuse) => parseIn(field, [raw], now, refuse),
  $ne: (field, raw, now, refuse) => negate(parseIn(field, [raw], now, refuse)),
  $in: (field, raw, now, refuse) => parseIn(field, raw, now, refuse),
  $nin: (field, raw, now, refuse) => negate(parseIn(field, raw, now, refuse)),
  $contains: (field, raw, _, refuse) => parseTextMatch('contains', field, raw, refuse),
  $starts_with: (field, raw, _, refuse) => parseTextMatch('starts_with', field, raw, refuse),
  $exists: (field, raw, _, refuse) => {
    if (typeof raw !== 'boolean') return refuse('$exists is true or false');
    return raw ? { field, test: { op: 'exists' } } : negate({ field, test: { op: 'exists' } });
  },
};

/** All operators, as error messages list them. */
export const FILTER_OPERATORS = [...Object.keys(operatorParsers), ...Object.keys(COMPARISON_OPERATORS)];

/**
 * Returns the conditions that a field takes, in the order of the documentation: operators, and for facts also the
 * qualities of their claim, such as `freshness`.
 */
export function listConditions(field: Field): readonly string[] {
  const takes = (op: string): boolean => {
    if (Object.hasOwn(COMPARISON_OPERATORS, op)) return orderedKinds.has(field.kind);
    return op !== '$contains' && op !== '$starts_with' ? true : textKinds.has(field.kind);
  };
  return [...FILTER_OPERATORS.filter(takes), ...(toClaimField(field) ? CLAIM_QUALITY_FIELDS : [])];
}

/** Parses one operator with its operand; problems are reported to `refuse`. */
export function parseOperator(
  op: string,
  field: Field,
  raw: unknown,
  now: Instant,
  refuse: RejectCondition,
): Filter | undefined {
  const side = Object.hasOwn(COMPARISON_OPERATORS, op) ? COMPARISON_OPERATORS[op] : undefined;
  if (side) return parseComparison(side, field, raw, now, refuse);
  const read = Object.hasOwn(operatorParsers, op) ? operatorParsers[op] : undefined;
  if (!read) return refuse(`there is no operator "${op.slice(0, 40)}"; there are ${FILTER_OPERATORS.join(', ')}`);
  return read(field, raw, now, refuse);
}

/** Parses a list of values; null in it matches a missing value. */
function parseIn(field: Field, raw: unknown, now: Instant, refuse: RejectCondition): Filter | undefined {
  if (!Array.isArray(raw) || raw.length === 0 || raw.length > MAX_FILTER_VALUES)
    return refuse(`a list of 1 to ${MAX_FILTER_VALUES} values is needed`);
  const values: Comparand[] = [];
  for (const each of raw.filter(value => value !== null)) {
    const read = parseComparand(field, each, now);
    if ('wanted' in read) return refuse(`${field.name} is compared with ${read.wanted}`);
    values.push(read.value);
  }
  const stated: Filter = { field, test: { op: 'in', values } };
  if (values.length === raw.length) return stated;
  const absent: Filter = { not: { field, test: { op: 'exists' } } };
  return values.length === 0 ? absent : { any: [stated, absent] };
}

function parseTextMatch(
  op: 'contains' | 'starts_with',
  field: Field,
  raw: unknown,
  refuse: RejectCondition,
): Filter | undefined {
  if (!textKinds.has(field.kind)) return refuse(`${field.name} is no text that $${op} could look into`);
  const value = parseSubstring(field, raw);
  return value === undefined ? refuse(`$${op} needs a text of 1 to 1000 characters`) : { field, test: { op, value } };
}

function parseComparison(
  side: ComparisonOperator,
  field: Field,
  raw: unknown,
  now: Instant,
  refuse: RejectCondition,
): Filter | undefined {
  if (!orderedKinds.has(field.kind)) return refuse(`${field.name} has no order`);
  const read = parseBound(field, raw, now);
  if ('wanted' in read || typeof read.value === 'boolean')
    return refuse(`${field.name} is compared with ${'wanted' in read ? read.wanted : 'text or a number'}`);
  return { field, test: { op: 'compare', side, value: read.value } };
}

function negate(filter: Filter | undefined): Filter | undefined {
  return filter && { not: filter };
}

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
