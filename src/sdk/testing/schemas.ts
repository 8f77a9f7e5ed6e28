import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Json, JsonObject } from '../json.js';
import type { JsonSchema, ToolSchema } from '../schema.js';

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
