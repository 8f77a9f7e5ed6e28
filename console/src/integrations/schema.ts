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

/**
 * Returns the value of a field for what somebody typed; undefined for an empty field, which keeps its default.
 * @throws SyntaxError if a field of another type is no JSON
 */
export function parseField({ type, enum: values }: SchemaField, typed: string): unknown {
  const text = typed.trim();
  if (text === '') return undefined;
  if (values) return values.find(value => String(value) === text);
  if (type === 'number' || type === 'integer') return Number(text);
  if (type === 'boolean') return text === 'true';
  return type === 'string' || type === undefined ? text : (JSON.parse(text) as unknown);
}

/** Returns the value of a field as somebody would type it. */
export function formatField({ type }: SchemaField, value: unknown): string {
  if (value === undefined || value === null) return '';
  return type === 'object' || type === 'array' ? JSON.stringify(value) : String(value);
}

/**
 * Reads the fields of a form.
 * @param prefix beginning of the names of its inputs, such as `settings.`
 */
export function readFields(
  fields: readonly NamedField[],
  form: FormData,
  prefix: string,
): Readonly<Record<string, unknown>> {
  const entries = fields.map(({ name, field }) => [name, parseField(field, String(form.get(prefix + name) ?? ''))]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}
