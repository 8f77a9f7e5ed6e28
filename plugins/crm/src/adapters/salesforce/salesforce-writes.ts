import type { Json } from '@rapport/plugin-sdk';
import type { Hub } from '../../plugin.js';
import type { CrmField, EntityObject, NewContact, RecordUpdate, WriteResult } from '../adapter.js';
import { toList, toObject, toText } from '../json.js';
import { callSalesforce, toSalesforceError } from './salesforce-api.js';
import { describeFields, findContacts, readMany, TYPES } from './salesforce-reads.js';
import { splitName, toFieldValues } from './salesforce-values.js';

/** Salesforce says which records it has taken, and not what they are now: those are read afterwards. */
export async function updateRecords(
  hub: Hub,
  object: EntityObject,
  updates: readonly RecordUpdate[],
): Promise<WriteResult[]> {
  if (updates.length === 0) return [];
  const types = await readTypes(hub, object);
  const records = updates.map(({ id, values }) => ({ id, ...toFieldValues(values, types) }));
  const outcomes = await write(hub, 'PATCH', object, records);
  return readWritten(
    hub,
    object,
    outcomes,
    updates.map(({ values }) => Object.keys(values)),
  );
}

/** Creates contacts. One that an earlier attempt created, whose response was lost, is found by its address and updated. */
export async function createContacts(hub: Hub, contacts: readonly NewContact[]): Promise<WriteResult[]> {
  const found = await findContacts(
    hub,
    contacts.map(({ email }) => email),
    [],
  );
  const ids = new Map(found.toReversed().flatMap(({ id, emails }) => emails.map(email => [email, id] as const)));
  const known = contacts.filter(({ email }) => ids.has(email.toLowerCase()));
  const fresh = contacts.filter(({ email }) => !ids.has(email.toLowerCase()));
  const updated = await updateRecords(
    hub,
    'contacts',
    known.map(({ email, values }) => ({ id: ids.get(email.toLowerCase())!, values })),
  );
  const created = await create(hub, fresh);
  const results = new Map([...known, ...fresh].map((contact, index) => [contact, [...updated, ...created][index]!]));
  return contacts.map(contact => results.get(contact)!);
}

async function create(hub: Hub, contacts: readonly NewContact[]): Promise<WriteResult[]> {
  if (contacts.length === 0) return [];
  const types = await readTypes(hub, 'contacts');
  const records = contacts.map(({ email, name, values }) => ({
    ...splitName(name, email),
    ...toFieldValues(values, types),
    Email: email,
  }));
  const outcomes = await write(hub, 'POST', 'contacts', records);
  return readWritten(
    hub,
    'contacts',
    outcomes,
    contacts.map(({ values }) => Object.keys(values)),
  );
}

async function readTypes(hub: Hub, object: EntityObject): Promise<ReadonlyMap<string, CrmField>> {
  return new Map((await describeFields(hub, object)).map(field => [field.name, field]));
}

/** ID of a record that was taken, or why it was refused. */
type Outcome = { readonly id: string } | { readonly error: string };

/** Writes up to 200 records, each by itself: one that is refused does not keep the others back. */
async function write(
  hub: Hub,
  method: 'PATCH' | 'POST',
  object: EntityObject,
  records: readonly Record<string, Json>[],
): Promise<Outcome[]> {
  const json = {
    allOrNone: false,
    records: records.map(record => ({ attributes: { type: TYPES[object] }, ...record })),
  };
  const response = await callSalesforce(hub, '/composite/sobjects', {
    method,
    json,
    attempts: method === 'PATCH' ? 3 : 1,
  });
  if (response.status !== 200) throw toSalesforceError(response);
  return toList(response.json()).map(each => {
    const { id, success, errors } = toObject(each);
    if (success === true) return { id: String(id) };
    const reasons = toList(errors).map(error => toText(toObject(error)['message']) ?? 'without a reason');
    return { error: reasons.join(' ').slice(0, 500) };
  });
}

/** @param fields fields that were written, of each record */
async function readWritten(
  hub: Hub,
  object: EntityObject,
  outcomes: readonly Outcome[],
  fields: readonly (readonly string[])[],
): Promise<WriteResult[]> {
  const ids = outcomes.flatMap(outcome => ('id' in outcome ? [outcome.id] : []));
  const records = await readMany(hub, object, ids, [...new Set(fields.flat())]);
  const byId = new Map(records.map(record => [record.id, record]));
  return outcomes.map((outcome, index) => {
    if ('error' in outcome) return outcome;
    const record = byId.get(outcome.id);
    if (!record) return { error: 'The record was deleted meanwhile.' };
    return {
      record: { ...record, values: Object.fromEntries(fields[index]!.map(field => [field, record.values[field]!])) },
    };
  });
}
