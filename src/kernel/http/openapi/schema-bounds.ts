import { hasType, isSchema, type OpenApiSchema } from './schemas.js';

const INT32 = 2 ** 31;
const NO_NUL_PATTERN = '^[^\\u0000]*$';
/** No text is longer than a whole body may be. */
const MAX_TEXT_LENGTH = 1_048_576;
/** No list has more items; a page or a request has at most a thousand rows, and what hangs on one is fewer. */
const MAX_ITEMS = 10_000;
/** The longest text of each format. */
const MAX_LENGTH_BY_FORMAT: Readonly<Record<string, number>> = {
  uuid: 36,
  'date-time': 40,
  date: 10,
  email: 320,
  uri: 2048,
};
const ALL_TYPES = ['string', 'number', 'boolean', 'array', 'object', 'null'];

/**
 * Writes down what follows from the type of a schema and is true of every one here: how long a text can be, that
 * integers have 32 bits, that no text holds a NUL, how long a list can be. What an author has said stays. Changes the
 * schema in place.
 */
export function addSchemaBounds(schema: OpenApiSchema): void {
  fixUnknownType(schema);
  preferOneOf(schema);
  if (hasType(schema, 'integer')) setDefaults(schema, { format: 'int32', minimum: -INT32, maximum: INT32 - 1 });
  if (hasType(schema, 'array')) setDefaults(schema, { maxItems: MAX_ITEMS });
  if (hasType(schema, 'string') && schema['enum'] === undefined && schema['const'] === undefined) {
    setDefaults(schema, { maxLength: MAX_LENGTH_BY_FORMAT[String(schema['format'])] ?? MAX_TEXT_LENGTH });
    if (schema['format'] === undefined) setDefaults(schema, { pattern: NO_NUL_PATTERN });
  }
}

/** What a class calls `unknown` arrives as an object without fields. Where the example is none, it may be anything. */
function fixUnknownType(schema: OpenApiSchema): void {
  if (!hasType(schema, 'object') || schema['properties'] || schema['additionalProperties']) return;
  const { example } = schema;
  if (example === undefined || example === null || isSchema(example)) return;
  schema['type'] = ALL_TYPES;
  setDefaults(schema, { items: {} });
}

/** Of a named schema and null exactly one fits, and `oneOf` says that. */
function preferOneOf(schema: OpenApiSchema): void {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !anyOf.some(each => isSchema(each) && each['type'] === 'null'))
    return;
  schema['oneOf'] = anyOf;
  delete schema['anyOf'];
}

function setDefaults(schema: OpenApiSchema, implied: OpenApiSchema): void {
  for (const [name, value] of Object.entries(implied)) schema[name] ??= value;
}
