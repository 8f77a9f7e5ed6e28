import type { ErrorObject } from 'ajv/dist/2020.js';
import { type FieldProblem } from '#kernel/errors/hub-error.js';
import { unknownFieldMessage, findUnknownFields } from '#kernel/http/request-validation.js';
import type { JsonSchema } from '#sdk/schema.js';
import { createSchemaValidator, toFieldPath, schemaMessages } from '../schema-validation.js';

const findErrors = createSchemaValidator({ useDefaults: true, formats: { uri: text => URL.canParse(text) } });
const MAX_PROBLEMS = 20;

type Fields = Readonly<Record<string, unknown>>;

/** Valid values with the defaults of the schema filled in, or the problems of each field. */
export type FieldValidation =
  | { readonly ok: true; readonly values: Fields }
  | { readonly ok: false; readonly problems: FieldProblem[] };

/**
 * Validates values against the schema of a manifest and rejects fields that it does not declare. Messages name fields
 * and expectations but never values, which may be secret.
 * @param path prefix of field names: `credentials` or `settings`
 */
export function validateFields(path: string, schema: JsonSchema | undefined, input: Fields): FieldValidation {
  const values = structuredClone(input) as Record<string, unknown>;
  const errors = schema === undefined ? [] : findErrors(schema, values).filter(error => !isUnknownField(error));
  const problems = errors.slice(0, MAX_PROBLEMS).map(error => toProblem(path, error));
  const unknown = findUnknownFields(values, Object.keys(getProperties(schema))).map(({ field, message }) => ({
    field: `${path}.${field}`,
    message,
  }));
  const all = [...unknown, ...problems];
  return all.length > 0 ? { ok: false, problems: all } : { ok: true, values };
}

/** Returns the names of the fields that hold secrets. */
export function listSecretFields(schema: JsonSchema | undefined): string[] {
  return Object.entries(getProperties(schema)).flatMap(([name, own]) => (own['secret'] === true ? [name] : []));
}

/** Returns the names of the fields whose options come from the provider. */
export function listOptionFields(schema: JsonSchema | undefined): string[] {
  return Object.entries(getProperties(schema)).flatMap(([name, own]) => (own['options'] === 'provider' ? [name] : []));
}

/** Returns values without some fields. */
export function omitFields(values: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

/** Returns values without fields that their schema does not declare. */
export function pickDeclared(schema: JsonSchema | undefined, values: Fields): Fields {
  const declared = listFieldNames(schema);
  return Object.fromEntries(Object.entries(values).filter(([name]) => declared.includes(name)));
}

/** Returns the names of the fields that hold a URL. */
export function listUrlFields(schema: JsonSchema | undefined): string[] {
  return Object.entries(getProperties(schema)).flatMap(([name, own]) => (own['format'] === 'uri' ? [name] : []));
}

/** Returns the names of all fields. */
export function listFieldNames(schema: JsonSchema | undefined): string[] {
  return Object.keys(getProperties(schema));
}

/**
 * Returns the names of the fields that are missing: required ones without a default. If nothing was sent and nothing is
 * required, returns all fields without a default.
 */
export function listMissingFields(schema: JsonSchema | undefined, input?: Fields): string[] {
  const required = (schema?.['required'] ?? []) as readonly string[];
  const all = Object.entries(getProperties(schema)).flatMap(([name, own]) =>
    Object.hasOwn(own, 'default') ? [] : name,
  );
  if (!input && required.length === 0) return all;
  return all.filter(name => required.includes(name) && !Object.hasOwn(input ?? {}, name));
}

function getProperties(schema: JsonSchema | undefined): Readonly<Record<string, JsonSchema>> {
  return (schema?.['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
}

/**
 * Returns whether the error is about an undeclared top-level field. `findUnknownFields` reports these for every schema.
 */
function isUnknownField({ instancePath, keyword }: ErrorObject): boolean {
  return instancePath === '' && keyword === 'additionalProperties';
}

function toProblem(path: string, error: ErrorObject): FieldProblem {
  const { keyword, params } = error;
  const inside = toFieldPath(error);
  const field = inside === '' ? path : `${path}.${inside}`;
  if (keyword === 'additionalProperties')
    return { field, message: unknownFieldMessage(String(params['additionalProperty']), []) };
  return { field, message: `${field} ${schemaMessages(error)}.` };
}
