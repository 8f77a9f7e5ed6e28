import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Json, JsonObject, JsonSchema, ToolSchema } from '../schema.js';
import type { NoteInput, ObservationInput } from '../ports/graph-port.js';

const ajv = new Ajv2020({ strict: false, allErrors: true, useDefaults: true, validateFormats: false, logger: false });
const validators = new WeakMap<JsonSchema, ValidateFunction>();

/** The methods of zod that the harness calls; the plugin brings zod. */
interface Zod {
  safeParse(value: unknown): {
    readonly success: boolean;
    readonly data?: unknown;
    readonly error?: {
      readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
    };
  };
  toJSONSchema?(options: { io: 'input' | 'output' }): JsonSchema;
}

/** A valid value with defaults filled in, or the problems of an invalid one. */
export type SchemaResult = { readonly value: unknown } | { readonly problems: readonly string[] };

/** Parses a value with a zod object or a JSON Schema. Does not change the value itself. */
export function parseWithSchema(schema: ToolSchema, value: unknown): SchemaResult {
  if (isZod(schema)) {
    const { success, data, error } = schema.safeParse(value);
    if (success) return { value: data };
    return { problems: (error?.issues ?? []).map(({ path, message }) => `${path.join('.') || '(root)'}: ${message}`) };
  }
  const copy: unknown = structuredClone(value);
  return { ...validateJson(schema as JsonSchema, copy) };
}

/** @throws Error if a value does not match its schema; without a schema every value does */
export function requireFit(what: string, schema: JsonSchema | undefined, value: unknown): void {
  const parsed = schema && parseWithSchema(schema, value);
  if (parsed && 'problems' in parsed) throw new Error(`${what} does not fit: ${parsed.problems.join('; ')}.`);
}

/** Returns the JSON Schema of a tool's input or output. @throws Error for a zod older than 4.2 */
export function convertToJsonSchema(schema: ToolSchema, io: 'input' | 'output'): JsonSchema {
  if (!isZod(schema)) return schema as JsonSchema;
  if (!schema.toJSONSchema) throw new Error('its schema is of a zod older than 4.2, which cannot become a JSON Schema');
  return schema.toJSONSchema({ io });
}

/** Builds values that match a schema of credentials or settings: defaults, otherwise recognizable samples. */
export function buildSample(schema: JsonSchema | undefined): JsonObject {
  const fields = Object.entries((schema?.['properties'] ?? {}) as Record<string, Record<string, Json>>);
  return Object.fromEntries(fields.map(([name, field]) => [name, sampleField(name, field)]));
}

/** Returns values without fields that their schema does not declare. */
export function dropUndeclared(schema: JsonSchema | undefined, values: JsonObject): JsonObject {
  const declared = Object.keys((schema?.['properties'] ?? {}) as object);
  return Object.fromEntries(Object.entries(values).filter(([name]) => declared.includes(name)));
}

function sampleField(name: string, field: Record<string, Json>): Json {
  if ('default' in field) return field['default']!;
  if (Array.isArray(field['enum'])) return field['enum'][0] as Json;
  if (field['type'] === 'number' || field['type'] === 'integer') return (field['minimum'] as number | undefined) ?? 1;
  if (field['type'] === 'boolean') return false;
  if (field['type'] === 'array') return [];
  if (field['type'] === 'object') return {};
  return field['format'] === 'uri' ? 'https://provider.example' : `test-${name}`;
}

function validateJson(schema: JsonSchema, value: unknown): SchemaResult {
  const validate = validators.get(schema) ?? ajv.compile(schema);
  validators.set(schema, validate);
  if (validate(value)) return { value };
  const problems = (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const named: unknown = params['additionalProperty'] ?? params['allowedValues'];
    return `${instancePath || '(root)'}: ${message}${named === undefined ? '' : ` (${JSON.stringify(named)})`}`;
  });
  return { problems };
}

function isZod(schema: ToolSchema): schema is ToolSchema & Zod {
  return '_zod' in schema;
}

/** Returns the error with which the hub would reject an observation; undefined if it would accept it. */
export function validateObservation({ kind, property, observed_at }: ObservationInput): string | undefined {
  if (kind !== 'event' && kind !== 'state') return `kind must be "event" or "state", not "${String(kind)}".`;
  if (typeof property !== 'string' || property === '') return 'property must name what is observed.';
  if (kind === 'event' && !/^interaction\.[a-z][a-z0-9_]*$/.test(property)) {
    return `The property "${property}" of an event must be interaction.<type>, such as interaction.call_held.`;
  }
  if (kind === 'state' && property.startsWith('interaction.')) {
    return `The property "${property}" is one of events; a state has a bare name, such as title.`;
  }
  if (observed_at !== undefined && !isInstant(observed_at)) {
    return `observed_at must be an ISO 8601 time with its zone, not "${observed_at}".`;
  }
  return undefined;
}

/** Returns the error with which the hub would reject a note; undefined if it would accept it. */
export function validateNote({ title, content, date }: NoteInput): string | undefined {
  if (!title || !content) return 'A note needs a title and content.';
  if (date !== undefined && !/^\d{4}-\d\d-\d\d$/.test(date)) return `date must be YYYY-MM-DD, not "${date}".`;
  return undefined;
}

function isInstant(text: string): boolean {
  return /^[^T]*T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(text) && !Number.isNaN(Date.parse(text));
}
