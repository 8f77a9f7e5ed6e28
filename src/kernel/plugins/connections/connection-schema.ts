import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Problem } from '#kernel/errors/errors.js';
import { notAField, unknownFields } from '#kernel/errors/unknown-fields.js';
import type { JsonSchema } from '#sdk/schema.js';
import { fieldOf, schemaWords } from '../schema-words.js';

const checking = new Ajv2020({
  strict: false,
  allErrors: true,
  useDefaults: true,
  formats: { uri: text => URL.canParse(text) },
  // Formats that are not known here are no reason to refuse a manifest.
  logger: false,
});
const compiled = new WeakMap<object, ValidateFunction>();
const SHOWN = 20;

type Fields = Readonly<Record<string, unknown>>;

/** Values that fit, with the defaults of the schema filled in, or what is wrong with each. */
export type Fitted =
  | { readonly ok: true; readonly values: Fields }
  | { readonly ok: false; readonly problems: Problem[] };

/**
 * Checks values against the schema of a manifest. Fields that it does not name are refused. Messages name fields and
 * what they should be, never what they are: they may be secret.
 * @param path what the fields stand in: `credentials` or `settings`
 */
export function fit(path: string, schema: JsonSchema | undefined, given: Fields): Fitted {
  const values = structuredClone(given) as Record<string, unknown>;
  const fits = schema === undefined || validatorOf(schema)(values);
  const errors = fits ? [] : (validatorOf(schema).errors ?? []).filter(error => !isStray(error));
  const problems = errors.slice(0, SHOWN).map(error => problemOf(path, error));
  const strays = unknownFields(values, Object.keys(propertiesOf(schema))).map(({ field, message }) => ({
    field: `${path}.${field}`,
    message,
  }));
  const all = [...strays, ...problems];
  return all.length > 0 ? { ok: false, problems: all } : { ok: true, values };
}

/** Names of the fields that hold secrets. */
export function secretFields(schema: JsonSchema | undefined): string[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, own]) => (own['secret'] === true ? [name] : []));
}

/** Returns the names of the fields that hold a URL. */
export function urlFields(schema: JsonSchema | undefined): string[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, own]) => (own['format'] === 'uri' ? [name] : []));
}

/** Names of all fields. */
export function fieldsOf(schema: JsonSchema | undefined): string[] {
  return Object.keys(propertiesOf(schema));
}

/**
 * Names of the fields that still have to be given: those that are required and have no default. Where nothing was given
 * and nothing is required, all of them.
 */
export function missingFieldsOf(schema: JsonSchema | undefined, given?: Fields): string[] {
  const required = (schema?.['required'] ?? []) as readonly string[];
  const all = Object.entries(propertiesOf(schema)).flatMap(([name, own]) =>
    Object.hasOwn(own, 'default') ? [] : name,
  );
  if (!given && required.length === 0) return all;
  return all.filter(name => required.includes(name) && !Object.hasOwn(given ?? {}, name));
}

function propertiesOf(schema: JsonSchema | undefined): Readonly<Record<string, JsonSchema>> {
  return (schema?.['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
}

function validatorOf(schema: JsonSchema): ValidateFunction {
  let validate = compiled.get(schema);
  if (!validate) compiled.set(schema, (validate = checking.compile(schema)));
  return validate;
}

/** A field beside those of the schema: refused whether or not the schema closes itself, so that it is told once. */
function isStray({ instancePath, keyword }: ErrorObject): boolean {
  return instancePath === '' && keyword === 'additionalProperties';
}

function problemOf(path: string, error: ErrorObject): Problem {
  const { keyword, params } = error;
  const inside = fieldOf(error);
  const field = inside === '' ? path : `${path}.${inside}`;
  if (keyword === 'additionalProperties')
    return { field, message: notAField(String(params['additionalProperty']), []) };
  return { field, message: `${field} ${schemaWords(error)}.` };
}

/** What is wrong with a value by a schema, in a sentence; undefined when it fits. */
export function fits(schema: JsonSchema, value: unknown): string | undefined {
  const validate = validatorOf(schema);
  return validate(structuredClone(value)) ? undefined : checking.errorsText(validate.errors);
}
