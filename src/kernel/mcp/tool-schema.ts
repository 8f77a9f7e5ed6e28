import { isDeepStrictEqual } from 'node:util';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { z } from 'zod';
import type { ToolAnnotations } from '#sdk/tool.js';
import type { JsonSchema, ToolSchema, ZodLike } from '#sdk/schema.js';
import type { FieldProblem } from '#kernel/errors/hub-error.js';
import { formatFieldPath, toArgumentProblems } from './argument-problems.js';

/** Reads data that the hub has derived itself. */
export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Reads data that includes text written by third parties. */
export const READS_QUOTES: ToolAnnotations = { ...READS, openWorldHint: true };

/** Adds data. Without an idempotency key, repeating it adds the data twice. */
export const APPENDS: ToolAnnotations = { ...READS, readOnlyHint: false, idempotentHint: false };

/** Sets data; repeating it has no further effect. The previous value is kept as history. */
export const SETS: ToolAnnotations = { ...READS, readOnlyHint: false };

/** Keywords whose values are data, not schemas. */
const DATA_KEYWORDS = new Set(['const', 'default', 'enum', 'examples']);

/**
 * Returns the reasons why clients would reject a tool's schema; empty if they would not. One such schema makes
 * several clients drop the whole tool list silently, so a tool with one is never listed.
 */
export function lintSchema(schema: JsonSchema): string[] {
  const faults: string[] = [];
  if (schema['type'] !== 'object') faults.push('its root must have type "object"');
  for (const combinator of ['anyOf', 'oneOf', 'allOf']) {
    if (!(combinator in schema)) continue;
    faults.push(`its root must not use ${combinator}; describe the variants inside a property`);
  }
  return [...faults, ...lintNested(schema)];
}

function lintNested(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(lintNested);
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (typeof value === 'string') return lintKeyword(key, value);
    return DATA_KEYWORDS.has(key) ? [] : lintNested(value);
  });
}

function lintKeyword(key: string, value: string): string[] {
  if ((key === '$ref' || key === '$dynamicRef') && !value.startsWith('#')) {
    return [`${key} must stay inside the schema ("#/$defs/…"), not point to "${value}"`];
  }
  if (key !== 'x-mcp-header') return [];
  return ['x-mcp-header is not supported: it would copy arguments into HTTP headers'];
}

/** Validated arguments (with defaults), or their problems. */
export type ParsedArguments = { readonly value: unknown } | { readonly problems: readonly FieldProblem[] };

/** Validates the arguments of a call by the input schema of its tool. */
export type ParseArguments = (args: unknown) => ParsedArguments;

/** Shared by all raw schemas, because building one costs more than a call. In draft 2020-12 formats are annotations. */
const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  useDefaults: true,
  validateFormats: false,
  addUsedSchema: false,
  logger: false,
});

/**
 * Returns the JSON Schema of an input or output; raw schemas are returned unchanged. Throws if zod cannot convert it.
 */
export function toToolJsonSchema(declared: ToolSchema, io: 'input' | 'output'): JsonSchema {
  return isZod(declared) ? convertZod(declared, io) : declared;
}

/** Creates the validator of arguments. Throws if a raw schema is not valid draft 2020-12. */
export function createArgumentParser(declared: ToolSchema): ParseArguments {
  if (isZod(declared)) return args => parseZod(declared, args);
  const validate = ajv.compile(declared);
  return args => (validate(args) ? { value: args } : { problems: (validate.errors ?? []).map(toAjvProblem) });
}

function isZod(declared: ToolSchema): declared is ZodLike {
  return '_zod' in declared;
}

/**
 * Converts a zod schema. `io: 'input'` keeps fields with a default optional. The protocol fixes the draft, so
 * `$schema` is removed.
 */
function convertZod(declared: ZodLike, io: 'input' | 'output'): JsonSchema {
  const { $schema: _draft, ...json } = z.toJSONSchema(declared as unknown as z.ZodType, { io });
  const schema = stripNoise(json) as JsonSchema;
  return io === 'output' ? omitNestedShapes(schema) : schema;
}

/**
 * Lists a result one level deep: its fields and their types, without the shapes of objects in them. Descriptions name
 * what a model needs of these, and a definition costs tokens in every conversation.
 */
function omitNestedShapes(schema: JsonSchema): JsonSchema {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).map(
    ([name, field]): [string, JsonSchema] => {
      if (field['type'] === 'object') return [name, { type: 'object' }];
      const items = field['items'] as JsonSchema | undefined;
      return [name, items?.['type'] === 'object' ? { type: 'array', items: { type: 'object' } } : field];
    },
  );
  return properties.length === 0 ? schema : { ...schema, properties: Object.fromEntries(properties) };
}

/**
 * Removes what does not help a model: bounds of safe integers, non-empty texts, text keys, `additionalProperties` (an
 * unknown argument is refused with the names of the known ones), and the pattern beside a format.
 */
function stripNoise(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(stripNoise);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(
    ([key, value]) =>
      !(key === 'minimum' && value === Number.MIN_SAFE_INTEGER) &&
      !(key === 'maximum' && value === Number.MAX_SAFE_INTEGER) &&
      !(key === 'additionalProperties' && value === false) &&
      !(key === 'minLength' && value === 1) &&
      !(key === 'additionalProperties' && isEmpty(value)) &&
      !(key === 'propertyNames' && isDeepStrictEqual(value, { type: 'string' })) &&
      !(key === 'pattern' && 'format' in node),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, stripNoise(value)]));
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function parseZod(declared: ZodLike, args: unknown): ParsedArguments {
  const read = z.safeParse(declared as unknown as z.ZodType, args, { reportInput: true });
  if (read.success) return { value: read.data };
  return {
    problems: toArgumentProblems(read.error.issues, 'shape' in declared ? Object.keys(declared.shape as object) : []),
  };
}

function toAjvProblem({ instancePath, message = 'is not accepted', params }: ErrorObject): FieldProblem {
  const path = instancePath
    .split('/')
    .slice(1)
    .map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const detail: unknown = params['allowedValues'] ?? params['additionalProperty'];
  return {
    field: formatFieldPath(path),
    message: detail === undefined ? message : `${message}: ${JSON.stringify(detail)}`,
  };
}
