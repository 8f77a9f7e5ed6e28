import type { Instant } from '#domain/time/instant.js';
import { parseComparand, parseBound, parseSubstring } from './comparand.js';
import type { Comparand, Field, FieldKind, Filter, ComparisonOperator } from './filter.js';

/** Maximum number of values in one list. */
export const MAX_FILTER_VALUES = 1_000;

/** Rejects the current condition with a message that says how to fix it. */
export type RejectCondition = (message: string) => undefined;

type OperatorParser = (field: Field, raw: unknown, now: Instant, refuse: RejectCondition) => Filter | undefined;

const comparisonOperators: Readonly<Record<string, ComparisonOperator>> = {
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
export const FILTER_OPERATORS = [...Object.keys(operatorParsers), ...Object.keys(comparisonOperators)];

/** Parses one operator with its operand; problems are reported to `refuse`. */
export function parseOperator(
  op: string,
  field: Field,
  raw: unknown,
  now: Instant,
  refuse: RejectCondition,
): Filter | undefined {
  const side = Object.hasOwn(comparisonOperators, op) ? comparisonOperators[op] : undefined;
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
