import { isOf, isSchema, type Schema } from './schemas.js';

const INT32 = 2 ** 31;
const NO_NUL = '^[^\\u0000]*$';
/** No text is longer than a whole body may be. */
const LONGEST_TEXT = 1_048_576;
/** No list has more items; a page or a request has at most a thousand rows, and what hangs on one is fewer. */
const MOST_ITEMS = 10_000;
/** The longest text of each format. */
const lengths: Readonly<Record<string, number>> = { uuid: 36, 'date-time': 40, date: 10, email: 320, uri: 2048 };
const anything = ['string', 'number', 'boolean', 'array', 'object', 'null'];

/**
 * Writes down what follows from the type of a schema and is true of every one here: how long a text can be, that
 * integers have 32 bits, that no text holds a NUL, how long a list can be. What an author has said stays. Changes the
 * schema in place.
 */
export function stateImpliedLimits(schema: Schema): void {
  mendUnknown(schema);
  preferOneOf(schema);
  if (isOf(schema, 'integer')) fill(schema, { format: 'int32', minimum: -INT32, maximum: INT32 - 1 });
  if (isOf(schema, 'array')) fill(schema, { maxItems: MOST_ITEMS });
  if (isOf(schema, 'string') && schema['enum'] === undefined && schema['const'] === undefined) {
    fill(schema, { maxLength: lengths[String(schema['format'])] ?? LONGEST_TEXT });
    if (schema['format'] === undefined) fill(schema, { pattern: NO_NUL });
  }
}

/** What a class calls `unknown` arrives as an object without fields. Where the example is none, it may be anything. */
function mendUnknown(schema: Schema): void {
  if (!isOf(schema, 'object') || schema['properties'] || schema['additionalProperties']) return;
  const { example } = schema;
  if (example === undefined || example === null || isSchema(example)) return;
  schema['type'] = anything;
  fill(schema, { items: {} });
}

/** Of a named schema and null exactly one fits, and `oneOf` says that. */
function preferOneOf(schema: Schema): void {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !anyOf.some(each => isSchema(each) && each['type'] === 'null'))
    return;
  schema['oneOf'] = anyOf;
  delete schema['anyOf'];
}

function fill(schema: Schema, implied: Schema): void {
  for (const [name, value] of Object.entries(implied)) schema[name] ??= value;
}
