import type { JsonObject } from '@rapport/plugin-sdk';
import type { Hub } from '../../plugin.js';
import type {
  CrmAdapter,
  CrmField,
  CrmObject,
  CrmOwner,
  CrmRecord,
  CrmStage,
  EntityObject,
  NewContact,
  PullPage,
  PullRequest,
  RecordUpdate,
  WriteResult,
} from '../adapter.js';
import { toObject, toText } from '../json.js';
import { testToken } from '../test-token.js';
import { callAttio, describeForbidden, describeRefusal, readAttio, toAttioError } from './attio-api.js';
import { listTexts, toCrmField, toCrmRecord, toWriteBody } from './attio-values.js';

/** Names of objects in paths. */
const OBJECTS: Readonly<Record<CrmObject, string>> = { companies: 'companies', contacts: 'people', deals: 'deals' };
const PAGE_LIMIT = 500;
/** A stage says whether a deal was won, but not whether it was lost: that is in its name. */
const LOST = /\b(?:lost|disqualified|rejected)\b/i;

/** Attio by an access token. Wire formats: docs.attio.com, REST API v2. */
export const attio: CrmAdapter = {
  provider: 'attio',
  standardFields: {
    contacts: [
      { field: 'job_title', property: 'title', type: 'text' },
      { field: 'company', property: 'company', type: 'company', isReadOnly: true },
      { field: 'phone_numbers', property: 'phone', type: 'text' },
      { field: 'linkedin', property: 'linkedin_url', type: 'text' },
    ],
    companies: [
      { field: 'employee_range', property: 'headcount', type: 'text', isReadOnly: true },
      { field: 'description', property: 'description', type: 'text' },
      { field: 'linkedin', property: 'linkedin_url', type: 'text' },
    ],
  },
  stageField: 'stage',
  test: hub =>
    testToken('Attio', callAttio(hub, toPath('contacts', '/query'), toQuery({ limit: 1 })), describeForbidden),
  readAccount,
  describe: describeFields,
  listStages,
  listOwners,
  pull,
  readMany,
  findContacts,
  update,
  createContacts,
};

function toPath(object: CrmObject, rest = ''): string {
  return `/v2/objects/${OBJECTS[object]}/records${rest}`;
}

function toQuery(json: JsonObject) {
  return { method: 'POST' as const, json };
}

async function readAccount(hub: Hub): Promise<string | null> {
  const response = await callAttio(hub, '/v2/self');
  if (response.status !== 200) throw toAttioError(response);
  return toText(toObject(response.json())['workspace_id']);
}

async function describeFields(hub: Hub, object: EntityObject): Promise<readonly CrmField[]> {
  const path = `/v2/objects/${OBJECTS[object]}/attributes`;
  const fields: CrmField[] = [];
  for (let offset = 0; ; offset += PAGE_LIMIT) {
    const rows = await readAttio(hub, path, { query: { limit: PAGE_LIMIT, offset } });
    fields.push(...rows.filter(row => row['is_archived'] !== true).map(toCrmField));
    if (rows.length < PAGE_LIMIT) return fields;
  }
}

/** The title of a stage is its ID here: it is unique, and the values of deals have it. */
async function listStages(hub: Hub): Promise<readonly CrmStage[]> {
  const stages = await readAttio(hub, '/v2/objects/deals/attributes/stage/statuses');
  return stages.map(({ title, celebration_enabled }) => {
    const label = toText(title) ?? '';
    const type = celebration_enabled === true ? 'won' : LOST.test(label) ? 'lost' : 'open';
    return { id: label, label, type };
  });
}

async function listOwners(hub: Hub): Promise<readonly CrmOwner[]> {
  const members = await readAttio(hub, '/v2/workspace_members');
  return members.map(({ id, first_name, last_name, email_address }) => {
    const own = toText(toObject(id)['workspace_member_id']) ?? '';
    const name = [toText(first_name), toText(last_name)].filter(Boolean).join(' ');
    return { id: own, name: name || (toText(email_address) ?? own) };
  });
}

/** Attio does not say when a record was changed, and cannot list changed ones: each time all of them are read. */
async function pull(hub: Hub, { object, fields, cursor }: PullRequest): Promise<PullPage> {
  const offset = typeof cursor === 'number' ? cursor : 0;
  const sorts = [{ attribute: 'created_at', direction: 'asc' }];
  const rows = await readAttio(hub, toPath(object, '/query'), toQuery({ sorts, limit: PAGE_LIMIT, offset }));
  const records = rows.map(row => (object === 'deals' ? toDeal(row) : toCrmRecord(row, fields)));
  return { records, cursor: rows.length < PAGE_LIMIT ? null : offset + PAGE_LIMIT };
}

function toDeal(row: JsonObject): CrmRecord {
  const values = toObject(row['values']);
  const companies = listTexts(values['associated_company']).map(id => ({ object: 'companies' as const, id }));
  const contacts = listTexts(values['associated_people']).map(id => ({ object: 'contacts' as const, id }));
  return toCrmRecord(row, ['stage'], [...companies, ...contacts]);
}

async function readMany(
  hub: Hub,
  object: EntityObject,
  ids: readonly string[],
  fields: readonly string[],
): Promise<CrmRecord[]> {
  return (await readRows(hub, object, ids)).map(row => toCrmRecord(row, fields));
}

async function readRows(hub: Hub, object: EntityObject, ids: readonly string[]): Promise<readonly JsonObject[]> {
  if (ids.length === 0) return [];
  const filter = { record_id: { $in: [...ids] } };
  return readAttio(hub, toPath(object, '/query'), toQuery({ filter, limit: PAGE_LIMIT }));
}

async function findContacts(hub: Hub, emails: readonly string[], fields: readonly string[]): Promise<CrmRecord[]> {
  if (emails.length === 0) return [];
  const filter = { email_addresses: { email_address: { $in: [...emails] } } };
  const rows = await readAttio(hub, toPath('contacts', '/query'), toQuery({ filter, limit: PAGE_LIMIT }));
  return rows.map(row => toCrmRecord(row, fields));
}

/** There are no batches: each record is written by itself. PUT replaces the values of the attributes that are sent. */
async function update(hub: Hub, object: EntityObject, updates: readonly RecordUpdate[]): Promise<WriteResult[]> {
  const fields = await readFieldsByName(hub, object);
  const rows = await readRows(hub, object, updates.filter(({ values }) => values['phone_numbers']).map(toId));
  const byId = new Map(rows.map(row => [toText(toObject(row['id'])['record_id']), row]));
  const results: WriteResult[] = [];
  for (const { id, values } of updates) {
    const json = toWriteBody(values, fields, byId.get(id));
    results.push(await put(hub, toPath(object, `/${id}`), json, Object.keys(values)));
  }
  return results;
}

function toId({ id }: RecordUpdate): string {
  return id;
}

async function readFieldsByName(hub: Hub, object: EntityObject): Promise<ReadonlyMap<string, CrmField>> {
  return new Map((await describeFields(hub, object)).map(field => [field.name, field]));
}

/** Attio looks a person up by the address, and adds one only if there is none. */
async function createContacts(hub: Hub, contacts: readonly NewContact[]): Promise<WriteResult[]> {
  const fields = await readFieldsByName(hub, 'contacts');
  const path = `${toPath('contacts')}?matching_attribute=email_addresses`;
  const results: WriteResult[] = [];
  for (const { email, name, values } of contacts) {
    const { data } = toWriteBody(values, fields);
    const own = { ...toObject(toObject(data)['values']), email_addresses: [email], ...toName(name) };
    results.push(await put(hub, path, { data: { values: own } }, Object.keys(values)));
  }
  return results;
}

function toName(name: string | null): JsonObject {
  const [first, ...rest] = (name ?? '').split(' ').filter(Boolean);
  if (first === undefined) return {};
  return { name: [{ first_name: first, last_name: rest.join(' '), full_name: [first, ...rest].join(' ') }] };
}

/** Writes one record. Only a refusal of this record is a result; what refuses all of them is thrown. */
async function put(hub: Hub, path: string, json: JsonObject, fields: readonly string[]): Promise<WriteResult> {
  const response = await callAttio(hub, path, { method: 'PUT', json });
  const { status } = response;
  if (status === 200) return { record: toCrmRecord(toObject(toObject(response.json())['data']), fields) };
  if (status === 400 || status === 404 || status === 409) return { error: describeRefusal(response) };
  throw toAttioError(response);
}
