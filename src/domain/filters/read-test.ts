import type { Instant } from '#domain/time/instant.js';
import { comparandOf, limitOf, partOf } from './comparand.js';
import type { Comparand, Field, FieldKind, Filter, Side } from './filter.js';

/** Most values in one list. */
export const MAX_VALUES = 1_000;

/** Told of what is wrong with the condition at hand: the mend, in words. */
export type Refuse = (message: string) => undefined;

type ReadOp = (field: Field, raw: unknown, now: Instant, refuse: Refuse) => Filter | undefined;

const sides: Readonly<Record<string, Side>> = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' };
const ordered = new Set<FieldKind>(['claim', 'text', 'name', 'number', 'time']);
const textual = new Set<FieldKind>(['claim', 'text', 'name', 'email', 'linkedin']);

const ops: Readonly<Record<string, ReadOp>> = {
  $eq: (field, raw, now, refuse) => among(field, [raw], now, refuse),
  $ne: (field, raw, now, refuse) => negated(among(field, [raw], now, refuse)),
  $in: (field, raw, now, refuse) => among(field, raw, now, refuse),
  $nin: (field, raw, now, refuse) => negated(among(field, raw, now, refuse)),
  $contains: (field, raw, _, refuse) => partial('contains', field, raw, refuse),
  $starts_with: (field, raw, _, refuse) => partial('starts_with', field, raw, refuse),
  $exists: (field, raw, _, refuse) => {
    if (typeof raw !== 'boolean') return refuse('$exists is true or false');
    return raw ? { field, test: { op: 'exists' } } : negated({ field, test: { op: 'exists' } });
  },
};

/** The operators, as an answer names them. */
export const OPERATORS = [...Object.keys(ops), ...Object.keys(sides)];

/** Reads one operator with its operand; what is wrong is told to `refuse`. */
export function readOperator(op: string, field: Field, raw: unknown, now: Instant, refuse: Refuse): Filter | undefined {
  const side = Object.hasOwn(sides, op) ? sides[op] : undefined;
  if (side) return compared(side, field, raw, now, refuse);
  const read = Object.hasOwn(ops, op) ? ops[op] : undefined;
  if (!read) return refuse(`there is no operator "${op.slice(0, 40)}"; there are ${OPERATORS.join(', ')}`);
  return read(field, raw, now, refuse);
}

/** Equals one of several; null among them stands for nothing being there. */
function among(field: Field, raw: unknown, now: Instant, refuse: Refuse): Filter | undefined {
  if (!Array.isArray(raw) || raw.length === 0 || raw.length > MAX_VALUES)
    return refuse(`a list of 1 to ${MAX_VALUES} values is needed`);
  const values: Comparand[] = [];
  for (const each of raw.filter(value => value !== null)) {
    const read = comparandOf(field, each, now);
    if ('wanted' in read) return refuse(`${field.name} is compared with ${read.wanted}`);
    values.push(read.value);
  }
  const stated: Filter = { field, test: { op: 'in', values } };
  if (values.length === raw.length) return stated;
  const absent: Filter = { not: { field, test: { op: 'exists' } } };
  return values.length === 0 ? absent : { any: [stated, absent] };
}

function partial(op: 'contains' | 'starts_with', field: Field, raw: unknown, refuse: Refuse): Filter | undefined {
  if (!textual.has(field.kind)) return refuse(`${field.name} is no text that $${op} could look into`);
  const value = partOf(field, raw);
  return value === undefined ? refuse(`$${op} needs a text of 1 to 1000 characters`) : { field, test: { op, value } };
}

function compared(side: Side, field: Field, raw: unknown, now: Instant, refuse: Refuse): Filter | undefined {
  if (!ordered.has(field.kind)) return refuse(`${field.name} has no order`);
  const read = limitOf(field, raw, now);
  if ('wanted' in read || typeof read.value === 'boolean')
    return refuse(`${field.name} is compared with ${'wanted' in read ? read.wanted : 'text or a number'}`);
  return { field, test: { op: 'compare', side, value: read.value } };
}

function negated(filter: Filter | undefined): Filter | undefined {
  return filter && { not: filter };
}
