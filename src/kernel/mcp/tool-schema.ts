import { isDeepStrictEqual } from 'node:util';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { z } from 'zod';
import type { ToolAnnotations, McpToolOptions } from '#sdk/tool.js';
import type { JsonSchema, ToolSchema, ZodLike } from '#sdk/schema.js';
import type { FieldProblem } from '#kernel/errors/hub-error.js';
import { formatFieldPath, toArgumentProblems } from './argument-problems.js';
import { PLANS, isPlan } from '#domain/plans/tiers.js';
import type { ToolHandler } from './call-context.js';

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

/** Model APIs allow at most 64 characters and no dots, and clients add a prefix to the name. */
const NAME = /^[a-z][a-z0-9_]{0,47}$/;

const REQUIRED_ANNOTATIONS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

type Hints = Record<string, unknown> | undefined;

/** Source of a tool: `name` is for messages (`ObservationsTools.record`); without `plugin` it belongs to the core. */
export interface ToolOwner {
  readonly name: string;
  readonly plugin?: string;
}

/** Entry of a tool in `tools/list`. Built once, frozen, shared by all requests. */
export interface ToolDescriptor {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: McpToolOptions['annotations'];
}

/** A validated tool that can be listed and called. */
export interface RegisteredTool {
  readonly label: string;
  readonly options: McpToolOptions;
  readonly owner: ToolOwner;
  readonly descriptor: ToolDescriptor;
  readonly parseArguments: ParseArguments;
  readonly handler: ToolHandler;
}

/** Thrown if a tool cannot be registered; the message names it and the fix. */
export class InvalidToolError extends Error {
  constructor(options: Partial<McpToolOptions>, owner: ToolOwner, faults: readonly string[]) {
    super(`The MCP tool "${options.name ?? ''}" of ${owner.name} is invalid: ${faults.join('; ')}.`);
  }
}

/**
 * Validates a declaration and prepares everything for listing and calling.
 * @throws InvalidToolError if the declaration is invalid.
 */
export function prepareTool(options: McpToolOptions, handler: ToolHandler, owner: ToolOwner): RegisteredTool {
  const faults = lintDeclaration(options);
  const inputSchema = tryPrepare(faults, 'input', () => buildInputSchema(options, faults));
  const outputSchema = tryPrepare(faults, 'output', () => buildOutputSchema(options, faults));
  // Compiles only schemas without lint errors: the messages of the lint are more helpful.
  const parseArguments =
    faults.length > 0 ? undefined : tryPrepare(faults, 'input', () => createArgumentParser(options.input));
  if (!inputSchema || !parseArguments) throw new InvalidToolError(options, owner, faults);
  const { name, title, description, annotations } = options;
  const descriptor = { name, title, description, inputSchema, ...(outputSchema && { outputSchema }), annotations };
  return { label: `tool ${name}`, options, owner, descriptor: Object.freeze(descriptor), parseArguments, handler };
}

/** Checks the declaration at run time too, because plugins may be written in JavaScript. */
function lintDeclaration(options: Partial<Record<keyof McpToolOptions, unknown>>): string[] {
  const { name, title, description, scopes, annotations } = options;
  const { minPlan = 'starter', visibility = 'agent' } = options;
  const set = (hint: string): boolean => typeof (annotations as Hints)?.[hint] === 'boolean';
  const rules: [holds: boolean, fault: string][] = [
    [typeof name === 'string' && NAME.test(name), `its name must match ${NAME.source}`],
    [isNonBlankText(title), 'it needs a title'],
    [isNonBlankText(description), 'it needs a description'],
    [Array.isArray(scopes), 'it must list the scopes it needs (an empty list for none)'],
    [isPlan(minPlan), `its minPlan must be one of ${PLANS.join(', ')}`],
    [visibility === 'agent' || visibility === 'internal', 'its visibility must be agent or internal'],
    [
      REQUIRED_ANNOTATIONS.every(set),
      `its annotations must set ${REQUIRED_ANNOTATIONS.join(', ')}, each to true or false`,
    ],
  ];
  return rules.filter(([holds]) => !holds).map(([, fault]) => fault);
}

function isNonBlankText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function buildInputSchema({ input }: McpToolOptions, faults: string[]): JsonSchema {
  return lintInto(faults, 'input', toToolJsonSchema(input, 'input'));
}

/** Builds the output schema. A truncated result has an additional field, `truncated`, which the schema must allow. */
function buildOutputSchema({ output, trim }: McpToolOptions, faults: string[]): JsonSchema | undefined {
  if (!output) return undefined;
  const schema = lintInto(faults, 'output', toToolJsonSchema(output, 'output'));
  if (trim?.length && schema['additionalProperties'] === false) {
    faults.push('output: with trim its root must be open (no additionalProperties false), for "truncated"');
  }
  return schema;
}

function lintInto(faults: string[], what: string, schema: JsonSchema): JsonSchema {
  faults.push(...lintSchema(schema).map(fault => `${what}: ${fault}`));
  return schema;
}

function tryPrepare<T>(faults: string[], what: string, prepare: () => T): T | undefined {
  try {
    return prepare();
  } catch (error) {
    faults.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
