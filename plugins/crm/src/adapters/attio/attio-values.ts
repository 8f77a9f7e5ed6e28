import type { Json, JsonObject } from '@rapport/plugin-sdk';
import type { CrmField, CrmRecord, FieldType } from '../adapter.js';
import { toList, toObject, toText } from '../json.js';

/** Types of attributes that are written: those with one text, number or date. */
const WRITABLE_TYPES: ReadonlySet<string> = new Set(['text', 'number', 'date', 'checkbox', 'rating']);
const NUMBER_TYPES: ReadonlySet<string> = new Set(['number', 'rating']);
const VALUE_TYPES: Readonly<Record<string, FieldType>> = {
  number: 'number',
  rating: 'number',
  currency: 'number',
  'actor-reference': 'owner',
  'record-reference': 'company',
};

/** Converts an attribute of an object. */
export function toCrmField(attribute: JsonObject): CrmField {
  const name = toText(attribute['api_slug']) ?? '';
  const type = toText(attribute['type']) ?? 'text';
  const isOne = attribute['is_multiselect'] !== true && WRITABLE_TYPES.has(type);
  return {
    name,
    label: toText(attribute['title']) ?? name,
    type,
    valueType: VALUE_TYPES[type] ?? 'text',
    choices: {},
    isReadOnly: attribute['is_writable'] === false || !(isOne || type === 'phone-number'),
  };
}

/** Converts a person, a company or a deal. */
export function toCrmRecord(row: JsonObject, fields: readonly string[], links: CrmRecord['links'] = []): CrmRecord {
  const values = toObject(row['values']);
  const [name = null] = listTexts(values['name']);
  const [domain = null] = listTexts(values['domains']);
  return {
    id: toText(toObject(row['id'])['record_id']) ?? '',
    updatedAt: findLastChange(row, ['name', 'email_addresses', 'domains', ...fields]),
    name,
    emails: listTexts(values['email_addresses']).map(email => email.toLowerCase()),
    domain,
    // A record that was merged into another one is gone; nothing says into which.
    mergedIds: [],
    values: Object.fromEntries(fields.map(field => [field, toFieldText(values[field])])),
    links,
  };
}

/** A record has no time of its last change: that of its newest value stands for it. */
function findLastChange(row: JsonObject, fields: readonly string[]): string {
  const values = toObject(row['values']);
  const times = fields.flatMap(field => toList(values[field]).map(each => toText(toObject(each)['active_from']) ?? ''));
  const known = [toText(row['created_at']) ?? '', ...times].map(time => Date.parse(time)).filter(Number.isFinite);
  return known.length === 0 ? '' : new Date(Math.max(...known)).toISOString();
}

/** Returns all values of an attribute as texts. */
export function listTexts(value: Json | undefined): string[] {
  return toList(value).flatMap(each => toValueText(toObject(each)) ?? []);
}

function toFieldText(value: Json | undefined): string | null {
  const entries = toList(value).map(toObject);
  // Of several phone numbers the first one is the main one.
  const own = entries[0]?.['attribute_type'] === 'phone-number' ? entries.slice(0, 1) : entries;
  return toText(own.flatMap(each => toValueText(each) ?? []).join(';'));
}

/** Returns the part of a value that stands for it, by the type of the attribute. */
function toValueText(entry: JsonObject): string | null {
  switch (entry['attribute_type']) {
    case 'personal-name':
      return toText(entry['full_name']);
    case 'email-address':
      return toText(entry['email_address']);
    case 'phone-number':
      return toText(entry['phone_number'] ?? entry['original_phone_number']);
    case 'domain':
      return toText(entry['domain']);
    case 'select':
      return toText(toObject(entry['option'])['title']);
    case 'status':
      return toText(toObject(entry['status'])['title']);
    case 'currency':
      return toText(entry['currency_value']);
    case 'record-reference':
      return toText(entry['target_record_id']);
    case 'actor-reference':
      return toText(entry['referenced_actor_id']);
    default:
      return typeof entry['value'] === 'boolean' ? String(entry['value']) : toText(entry['value']);
  }
}

/**
 * Returns the body that writes values.
 * @param fields attributes of the object by name
 * @param row the record as it is, of whose phone numbers only the first one is replaced
 */
export function toWriteBody(
  values: Readonly<Record<string, string>>,
  fields: ReadonlyMap<string, CrmField>,
  row: JsonObject = {},
): JsonObject {
  const written = Object.entries(values).map(([name, text]): [string, Json] => {
    const type = fields.get(name)?.type;
    if (type !== 'phone-number') return [name, toWrittenValue(type, text)];
    const others = listTexts(toObject(row['values'])[name]).slice(1);
    return [name, [text, ...others.filter(other => other !== text)]];
  });
  return { data: { values: Object.fromEntries(written) } };
}

function toWrittenValue(type: string | undefined, text: string): Json {
  if (type === 'checkbox') return text === 'true';
  return type !== undefined && NUMBER_TYPES.has(type) ? Number(text) : text;
}
