import type { Json, JsonObject } from '@rapport/plugin-sdk';
import type { CrmField, CrmRecord, FieldType } from '../adapter.js';
import { toDomain } from '../domain.js';
import { toList, toObject, toText } from '../json.js';

const NUMBER_TYPES: ReadonlySet<string> = new Set(['int', 'long', 'double', 'currency', 'percent']);
/** Fields that are made of others, or hold files. */
const COMPOUND_TYPES: ReadonlySet<string> = new Set(['address', 'location', 'base64', 'complexvalue']);

/** Returns whether a field has one value that is a text, number or boolean. */
export function isSimpleField({ type }: JsonObject): boolean {
  return !COMPOUND_TYPES.has(String(type));
}

/** Converts a field of the description of an object. */
export function toSalesforceField(field: JsonObject): CrmField {
  const name = String(field['name']);
  const choices = toList(field['picklistValues']).map(each => {
    const { value, label } = toObject(each);
    return [String(value), toText(label) ?? String(value)] as const;
  });
  return {
    name,
    label: toText(field['label']) ?? name,
    type: String(field['type']),
    valueType: toValueType(field),
    choices: Object.fromEntries(choices),
    isReadOnly: field['updateable'] !== true,
  };
}

function toValueType({ type, referenceTo }: JsonObject): FieldType {
  if (NUMBER_TYPES.has(String(type))) return 'number';
  const targets = toList(referenceTo);
  if (targets.includes('User')) return 'owner';
  return targets.includes('Account') ? 'company' : 'choice';
}

/** Converts a contact, an account or an opportunity. */
export function toSalesforceRecord(
  row: JsonObject,
  fields: readonly string[],
  mergedIds: readonly string[],
): CrmRecord {
  const email = toText(row['Email']);
  return {
    id: String(row['Id']),
    updatedAt: toTime(row['SystemModstamp']),
    name: toText(row['Name']),
    emails: email === null ? [] : [email.toLowerCase()],
    domain: toDomain(toText(row['Website'])),
    mergedIds,
    values: Object.fromEntries(fields.map(field => [field, toFieldText(row[field])])),
    links: toLinks(row),
  };
}

function toLinks(row: JsonObject): CrmRecord['links'] {
  const account = toText(row['AccountId']);
  const contacts = toList(toObject(row['OpportunityContactRoles'])['records']);
  return [
    ...(account === null ? [] : [{ object: 'companies' as const, id: account }]),
    ...contacts.map(each => ({ object: 'contacts' as const, id: String(toObject(each)['ContactId']) })),
  ];
}

/** Salesforce writes the zone of times as `+0000`. */
export function toTime(value: Json | undefined): string {
  const at = Date.parse((toText(value) ?? '').replace(/\+0000$/, 'Z'));
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}

function toFieldText(value: Json | undefined): string | null {
  return typeof value === 'boolean' ? String(value) : toText(value);
}

/** Returns values in the types of their fields. */
export function toFieldValues(
  values: Readonly<Record<string, string>>,
  fields: ReadonlyMap<string, CrmField>,
): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(values).map(([field, text]) => [field, toFieldValue(fields.get(field)?.type, text)]),
  );
}

function toFieldValue(type: string | undefined, text: string): Json {
  if (type === 'boolean') return text === 'true';
  return type !== undefined && NUMBER_TYPES.has(type) ? Number(text) : text;
}

/** Splits a name: the last word is the last name, which every contact must have. */
export function splitName(
  name: string | null,
  email: string,
): { readonly FirstName?: string; readonly LastName: string } {
  const words = (name ?? '').split(' ').filter(Boolean);
  const last = words.pop() ?? email;
  return { ...(words.length > 0 && { FirstName: words.join(' ').slice(0, 40) }), LastName: last.slice(0, 80) };
}
