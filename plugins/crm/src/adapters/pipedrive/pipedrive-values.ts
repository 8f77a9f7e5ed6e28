import type { Json, JsonObject } from '@rapport/plugin-sdk';
import type { CrmField, CrmRecord, EntityObject, FieldType } from '../adapter.js';
import { toDomain } from '../domain.js';
import { toList, toObject, toText } from '../json.js';

/** Fields of every account that can be written; all others that are not custom ones are read only. */
const WRITABLE: Readonly<Record<EntityObject, ReadonlySet<string>>> = {
  contacts: new Set(['name', 'job_title', 'phones', 'owner_id']),
  companies: new Set(['name', 'website', 'linkedin', 'industry', 'annual_revenue', 'employee_count', 'owner_id']),
};
/** Types of custom fields whose values are one text, number or choice. Amounts have a currency, and are only read. */
const WRITABLE_TYPES: ReadonlySet<string> = new Set([
  'varchar',
  'varchar_auto',
  'text',
  'int',
  'double',
  'boolean',
  'date',
  'phone',
  'enum',
  'set',
  'user',
]);
const VALUE_TYPES: Readonly<Record<string, FieldType>> = {
  int: 'number',
  double: 'number',
  monetary: 'number',
  user: 'owner',
  org: 'company',
};
const NUMBER_TYPES: ReadonlySet<string> = new Set(['int', 'double', 'user']);
/** Names of custom fields are hashes. */
const CUSTOM_FIELD = /^[0-9a-f]{40}$/;
/** The field list calls two fields otherwise than the records do. */
const RECORD_NAMES: Readonly<Record<string, string>> = { phone: 'phones', email: 'emails' };

/** Converts a field of the field list. */
export function toCrmField(object: EntityObject, field: JsonObject): CrmField {
  const code = toText(field['field_code']) ?? '';
  const name = RECORD_NAMES[code] ?? code;
  const type = toText(field['field_type']) ?? 'varchar';
  const choices = toList(field['options']).map(each => {
    const { id, label } = toObject(each);
    return [String(id), toText(label) ?? String(id)] as const;
  });
  const isWritable = field['is_custom_field'] === true ? WRITABLE_TYPES.has(type) : WRITABLE[object].has(name);
  return {
    name,
    label: toText(field['field_name']) ?? name,
    type,
    valueType: VALUE_TYPES[type] ?? 'choice',
    choices: Object.fromEntries(choices),
    isReadOnly: !isWritable,
  };
}

/** Converts a person, an organization or a deal. */
export function toCrmRecord(row: JsonObject, fields: readonly string[], links: CrmRecord['links'] = []): CrmRecord {
  const custom = toObject(row['custom_fields']);
  return {
    id: String(row['id']),
    updatedAt: toTime(row['update_time']),
    name: toText(row['name']),
    emails: listValues(row['emails']).map(email => email.toLowerCase()),
    domain: toDomain(toText(row['website'])),
    // A record that was merged into another one is gone; nothing says into which.
    mergedIds: [],
    values: Object.fromEntries(fields.map(field => [field, toFieldText(row[field] ?? custom[field])])),
    links,
  };
}

function toTime(value: Json | undefined): string {
  const at = Date.parse(toText(value) ?? '');
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}

/** Returns e-mail addresses or phone numbers, the main one first. */
function listValues(value: Json | undefined): string[] {
  const entries = toList(value).map(toObject);
  const sorted = entries.toSorted((a, b) => Number(b['primary'] === true) - Number(a['primary'] === true));
  return [...new Set(sorted.flatMap(entry => toText(entry['value']) ?? []))];
}

/** Returns a value as one text: of several phone numbers the main one, of several choices all of them. */
function toFieldText(value: Json | undefined): string | null {
  if (typeof value === 'boolean') return String(value);
  if (!Array.isArray(value)) {
    const { value: inner, id } = toObject(value);
    return toText(inner ?? id ?? value);
  }
  const [first] = listValues(value);
  if (first !== undefined) return first;
  return toText(value.flatMap(each => toFieldText(each as Json) ?? []).join(';'));
}

/**
 * Returns the body that writes values.
 * @param fields fields of the object by name
 * @param phones phone numbers of the person, of which only the main one is replaced
 */
export function toUpdateBody(
  values: Readonly<Record<string, string>>,
  fields: ReadonlyMap<string, CrmField>,
  phones: Json = [],
): JsonObject {
  const own: Record<string, Json> = {};
  const custom: Record<string, Json> = {};
  for (const [field, text] of Object.entries(values)) {
    if (field === 'phones') own[field] = replaceMain(phones, text);
    else (CUSTOM_FIELD.test(field) ? custom : own)[field] = toFieldValue(fields.get(field), text);
  }
  return { ...own, ...(Object.keys(custom).length > 0 && { custom_fields: custom }) };
}

function replaceMain(phones: Json, value: string): Json {
  const others = toList(phones)
    .map(toObject)
    .filter(phone => phone['primary'] !== true && phone['value'] !== value);
  return [{ value, primary: true, label: 'work' }, ...others];
}

function toFieldValue(field: CrmField | undefined, text: string): Json {
  const { type = 'varchar', choices = {} } = field ?? {};
  if (type === 'boolean') return text === 'true';
  if (type === 'set') return text.split(';').map(toOptionId);
  if (Object.keys(choices).length > 0) return toOptionId(text);
  return NUMBER_TYPES.has(type) ? Number(text) : text;
}

/** Options of custom fields have numbers, those of some standard fields have names. */
function toOptionId(text: string): Json {
  return Number.isNaN(Number(text)) ? text : Number(text);
}
