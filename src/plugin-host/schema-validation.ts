import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import { PermanentError } from '#sdk/errors.js';
import type { JsonSchema } from '#sdk/schema.js';

/** Validates a value against a schema; returns all errors, none if it is valid. */
export type SchemaValidator = (schema: JsonSchema, value: unknown) => readonly ErrorObject[];

/**
 * Creates a validator for JSON Schema 2020-12 that compiles each schema once. A compiled schema depends on the schema alone
 * and is released together with it, so the cache holds as many entries as there are loaded manifests.
 * @param options options of Ajv besides those for lenient, complete and silent validation
 */
export function createSchemaValidator(options: Options): SchemaValidator {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false, ...options });
  const compiled = new WeakMap<JsonSchema, ValidateFunction>();
  return (schema, value) => {
    let validate = compiled.get(schema);
    if (!validate) {
      compiled.set(schema, (validate = ajv.compile(schema)));
      // Ajv would keep the schemas of unloaded plugins forever.
      ajv.removeSchema(schema);
    }
    return validate(value) ? [] : (validate.errors ?? []);
  };
}

/**
 * Returns the dotted path of the field that an error is about, including missing and unknown fields; empty for the
 * root.
 */
export function toFieldPath({ instancePath, keyword, params }: ErrorObject): string {
  const inside = instancePath.slice(1).replaceAll('/', '.');
  const missing = keyword === 'required' ? String(params['missingProperty']) : '';
  const unknown = keyword === 'additionalProperties' ? String(params['additionalProperty']) : '';
  return [inside, missing, unknown].filter(part => part !== '').join('.');
}

/** Returns the predicate for a schema error, to follow the name of its field: `is required`, `must be one of …`. */
export function schemaMessages({ keyword, params, message }: ErrorObject): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties') return 'is not known';
  if (keyword === 'enum') return `must be one of ${(params['allowedValues'] as unknown[]).map(String).join(', ')}`;
  if (keyword === 'const') return `must be ${JSON.stringify(params['allowedValue'])}`;
  if (keyword === 'format' && params['format'] === 'uri') return 'must be an address (URL) such as https://example.org';
  return message ?? 'is not accepted';
}

const findErrors = createSchemaValidator({ useDefaults: true, formats: { uri: text => URL.canParse(text) } });

/**
 * Requires a value of a plugin to match a schema of its manifest; without a schema every value does.
 * @param what names the value, as the beginning of a sentence
 * @throws PermanentError that names the fields
 */
export function requireValid(what: string, schema: JsonSchema | undefined, value: unknown): void {
  const errors = schema === undefined ? [] : findErrors(schema, structuredClone(value));
  if (errors.length === 0) return;
  const problems = errors.map(({ instancePath, message }) => `${instancePath || 'the value'} ${message}`).join(', ');
  throw new PermanentError(`${what} does not fit its schema: ${problems}.`);
}
