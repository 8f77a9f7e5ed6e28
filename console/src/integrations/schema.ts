import type { FieldProblem } from '../api/fieldProblem.ts';
import type { Schemas } from '../api/schemas.ts';
import { integrationWords } from '../words/integrations.ts';

/** A JSON Schema of an object. */
export type Schema = Readonly<Record<string, unknown>> | null;

/** A field of a JSON Schema, as manifests of plugins describe credentials and settings. */
export interface SchemaField {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  /** Of a list: what its items can be. */
  readonly items?: { readonly enum?: readonly unknown[] };
  /** Of an object: what the values of any name are. */
  readonly additionalProperties?: unknown;
  /** Whether the value is never shown again. */
  readonly secret?: boolean;
  /** `provider` if the provider lists the values. */
  readonly options?: string;
}

/** A field with its name. */
export interface NamedField {
  readonly name: string;
  readonly field: SchemaField;
  readonly isRequired: boolean;
}

/** Returns the fields of a schema of an object, in its order. */
export function listFields(schema: Readonly<Record<string, unknown>> | null): NamedField[] {
  const properties = (schema?.['properties'] ?? {}) as Readonly<Record<string, SchemaField>>;
  const required = (schema?.['required'] ?? []) as readonly string[];
  return Object.entries(properties).map(([name, field]) => ({ name, field, isRequired: required.includes(name) }));
}

/** Returns the settings of an integration that its form asks for. The fields of a sync have a page of their own. */
export function listSettings({ sync_page, settings_schema }: Schemas['Integration']): NamedField[] {
  const fields = listFields(settings_schema as Schema);
  return sync_page?.parts.includes('fields') ? fields.filter(({ name }) => name !== 'field_map') : fields;
}

/**
 * Returns the value of a field for what somebody typed; undefined for an empty field, which keeps its default.
 * @throws SyntaxError if a list of values has a line without a colon, or a field of another type is no JSON
 */
export function parseField(field: SchemaField, typed: string): unknown {
  const { type, enum: values } = field;
  const text = typed.trim();
  if (text === '') return undefined;
  if (values) return values.find(value => String(value) === text);
  if (type === 'number' || type === 'integer') return Number(text);
  if (type === 'boolean') return text === 'true';
  if (isLists(field)) return parseLists(text);
  return type === 'string' || type === undefined ? text : (JSON.parse(text) as unknown);
}

/** Returns the value of a field as somebody would type it. */
export function formatField(field: SchemaField, value: unknown): string {
  if (value === undefined || value === null) return '';
  const { type } = field;
  if (isLists(field)) return formatLists(value as Readonly<Record<string, readonly unknown[]>>);
  return type === 'object' || type === 'array' ? JSON.stringify(value) : String(value);
}

/** Returns whether a field is a list of values for each of any names, such as the filters of a CRM. */
export function isLists({ type, additionalProperties }: SchemaField): boolean {
  return type === 'object' && (additionalProperties as SchemaField | undefined)?.type === 'array';
}

/** Reads lines of `name: value`; a name that is repeated has several values. */
function parseLists(text: string): Readonly<Record<string, readonly string[]>> {
  const lists: Record<string, string[]> = {};
  for (const line of text.split('\n').filter(each => each.trim() !== '')) {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, Math.max(colon, 0)).trim(), line.slice(colon + 1).trim()];
    if (name === '' || value === '') throw new SyntaxError(line);
    (lists[name] ??= []).push(value);
  }
  return lists;
}

function formatLists(lists: Readonly<Record<string, readonly unknown[]>>): string {
  return Object.entries(lists)
    .flatMap(([name, values]) => values.map(value => `${name}: ${String(value)}`))
    .join('\n');
}

/** Returns what can be ticked of a field whose value is a list of choices; undefined for other fields. */
export function listTicks({ type, items }: SchemaField): readonly string[] | undefined {
  return type === 'array' ? items?.enum?.map(String) : undefined;
}

/** What somebody entered, and what of it is no value of its field. */
export interface FormValues {
  readonly values: Record<string, never>;
  readonly problems: readonly FieldProblem[];
}

/**
 * Reads the fields of a form. What is left empty is not sent; where there was a value it is null, which brings the default back.
 * @param prefix beginning of the names of its inputs, such as `settings.`
 * @param current values of an existing connection
 */
export function readFields(
  fields: readonly NamedField[],
  form: FormData,
  prefix: string,
  current: Readonly<Record<string, unknown>> = {},
): FormValues {
  const problems: FieldProblem[] = [];
  const values: Record<string, unknown> = {};
  for (const { name, field } of fields) {
    try {
      const value = listTicks(field)
        ? readTicks(field, form.getAll(prefix + name).map(String))
        : parseField(field, String(form.get(prefix + name) ?? ''));
      if (value !== undefined) values[name] = value;
      else if (current[name] !== undefined) values[name] = null;
    } catch {
      problems.push({
        field: prefix + name,
        message: isLists(field) ? integrationWords.notLines : integrationWords.notJson,
      });
    }
  }
  return { values: values as Record<string, never>, problems };
}

/** Returns what was ticked; undefined if that is the default. */
function readTicks(field: SchemaField, ticked: readonly string[]): readonly string[] | undefined {
  const byDefault = Array.isArray(field.default) ? field.default.map(String) : [];
  const isDefault = ticked.length === byDefault.length && ticked.every(each => byDefault.includes(each));
  return isDefault ? undefined : ticked;
}
