import type { Json, JsonObject } from '@rapport/plugin-sdk';
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
import { toList, toObject, toText } from '../json.js';
import { testToken } from '../test-token.js';
import {
  callPipedrive,
  describeForbidden,
  describeRefusal,
  readAllPages,
  readPage,
  readPipedrive,
  toPipedriveError,
} from './pipedrive-api.js';
import { toCrmField, toCrmRecord, toUpdateBody } from './pipedrive-values.js';

const PATHS: Readonly<Record<CrmObject, string>> = {
  companies: '/api/v2/organizations',
  contacts: '/api/v2/persons',
  deals: '/api/v2/deals',
};
const FIELD_PATHS: Readonly<Record<EntityObject, string>> = {
  companies: '/api/v2/organizationFields',
  contacts: '/api/v2/personFields',
};

/** Pipedrive by the API token of a user. Wire formats: developers.pipedrive.com, API v2, and v1 for users. */
export const pipedrive: CrmAdapter = {
  provider: 'pipedrive',
  standardFields: {
    contacts: [
      { field: 'job_title', property: 'title', type: 'text' },
      { field: 'org_id', property: 'company', type: 'company', isReadOnly: true },
      { field: 'phones', property: 'phone', type: 'text' },
      { field: 'owner_id', property: 'owner', type: 'owner', isReadOnly: true },
    ],
    companies: [
      { field: 'industry', property: 'industry', type: 'choice' },
      { field: 'employee_count', property: 'headcount', type: 'number' },
      { field: 'annual_revenue', property: 'revenue', type: 'number' },
      { field: 'linkedin', property: 'linkedin_url', type: 'text' },
      { field: 'owner_id', property: 'owner', type: 'owner', isReadOnly: true },
    ],
  },
  stageField: 'stage',
  test: hub => testToken('Pipedrive', callPipedrive(hub, PATHS.contacts, { query: { limit: 1 } }), describeForbidden),
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

async function readAccount(hub: Hub): Promise<string | null> {
  const { data } = await readPipedrive(hub, '/api/v1/users/me');
  return toText(toObject(data)['company_id']);
}

async function describeFields(hub: Hub, object: EntityObject): Promise<readonly CrmField[]> {
  const fields = await readAllPages(hub, FIELD_PATHS[object]);
  return fields.map(field => toCrmField(object, field));
}

/** A deal that was won or lost keeps its last stage in Pipedrive; what it is now is its status. */
async function listStages(hub: Hub): Promise<readonly CrmStage[]> {
  const stages = await readAllPages(hub, '/api/v2/stages');
  const open = stages.map(({ id, name }) => ({
    id: String(id),
    label: toText(name) ?? String(id),
    type: 'open' as const,
  }));
  return [...open, { id: 'won', label: 'Won', type: 'won' }, { id: 'lost', label: 'Lost', type: 'lost' }];
}

async function listOwners(hub: Hub): Promise<readonly CrmOwner[]> {
  const { data } = await readPipedrive(hub, '/api/v1/users');
  return toList(data).map(each => {
    const { id, name, email } = toObject(each);
    return { id: String(id), name: toText(name) ?? toText(email) ?? String(id) };
  });
}

async function pull(hub: Hub, { object, fields, since, cursor }: PullRequest): Promise<PullPage> {
  const changed = since === null ? {} : { updated_since: toSeconds(since) };
  const sorted = { sort_by: since === null ? 'id' : 'update_time', sort_direction: 'asc' };
  const { rows, next } = await readPage(hub, PATHS[object], cursor as string | null, { ...sorted, ...changed });
  const records = object === 'deals' ? rows.map(toDeal) : rows.map(row => toCrmRecord(row, fields));
  return { records, cursor: next };
}

/** Pipedrive takes times without fractions. */
function toSeconds(time: string): string {
  return time.replace(/\.[0-9]+Z$/, 'Z');
}

function toDeal(row: JsonObject): CrmRecord {
  const status = toText(row['status']) ?? 'open';
  const stage = status === 'open' ? row['stage_id'] : status;
  const links = [...toLinks('companies', row['org_id']), ...toLinks('contacts', row['person_id'])];
  return toCrmRecord({ ...row, stage: stage ?? null }, ['stage'], links);
}

function toLinks(object: EntityObject, id: Json | undefined): CrmRecord['links'] {
  const text = toText(id);
  return text === null ? [] : [{ object, id: text }];
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
  return (await readPage(hub, PATHS[object], null, { ids: ids.join(',') })).rows;
}

/** There is no search for several addresses: each is looked up by itself. */
async function findContacts(hub: Hub, emails: readonly string[], fields: readonly string[]): Promise<CrmRecord[]> {
  const ids: string[] = [];
  for (const term of emails) {
    const query = { term, fields: 'email', exact_match: true, limit: 1 };
    const { data } = await readPipedrive(hub, `${PATHS.contacts}/search`, query);
    ids.push(...toList(toObject(data)['items']).map(each => String(toObject(toObject(each)['item'])['id'])));
  }
  return readMany(hub, 'contacts', [...new Set(ids)], fields);
}

/** There are no batches: each record is written by itself, after the types of its fields were read once. */
async function update(hub: Hub, object: EntityObject, updates: readonly RecordUpdate[]): Promise<WriteResult[]> {
  const fields = await readFieldsByName(hub, object);
  const withPhones = updates.filter(({ values }) => values['phones'] !== undefined).map(({ id }) => id);
  const rows = await readRows(hub, object, withPhones);
  const phones = new Map(rows.map(row => [String(row['id']), row['phones']]));
  const results: WriteResult[] = [];
  for (const { id, values } of updates) {
    const json = toUpdateBody(values, fields, phones.get(id));
    results.push(await write(hub, { method: 'PATCH', path: `${PATHS[object]}/${id}`, json }, Object.keys(values)));
  }
  return results;
}

async function readFieldsByName(hub: Hub, object: EntityObject): Promise<ReadonlyMap<string, CrmField>> {
  return new Map((await describeFields(hub, object)).map(field => [field.name, field]));
}

/**
 * Creates people. Nothing keeps a second one of an address from being added, so the people who were added last are read
 * first: one that an earlier attempt added, whose response was lost, is among them.
 */
async function createContacts(hub: Hub, contacts: readonly NewContact[]): Promise<WriteResult[]> {
  const fields = await readFieldsByName(hub, 'contacts');
  const known = await readRecentPeople(hub);
  const results: WriteResult[] = [];
  for (const { email, name, values } of contacts) {
    const id = known.get(email.toLowerCase());
    const own = toUpdateBody(values, fields);
    const json = id ? own : { ...own, name: name ?? email, emails: [{ value: email, primary: true, label: 'work' }] };
    const request = id
      ? ({ method: 'PATCH', path: `${PATHS.contacts}/${id}`, json } as const)
      : ({ method: 'POST', path: PATHS.contacts, json } as const);
    results.push(await write(hub, request, Object.keys(values)));
  }
  return results;
}

/** Returns the IDs of the 500 people who were added last by their addresses: a list has them at once, the search only later. */
async function readRecentPeople(hub: Hub): Promise<ReadonlyMap<string, string>> {
  const { rows } = await readPage(hub, PATHS.contacts, null, { sort_by: 'add_time', sort_direction: 'desc' });
  const people = rows.map(row => toCrmRecord(row, []));
  return new Map(people.flatMap(({ id, emails }) => emails.map(email => [email, id] as const)));
}

/** A record to write. */
interface Write {
  readonly method: 'PATCH' | 'POST';
  readonly path: string;
  readonly json: Json;
}

/** Writes one record. Only a refusal of this record is a result; what refuses all of them is thrown. */
async function write(hub: Hub, { method, path, json }: Write, fields: readonly string[]): Promise<WriteResult> {
  const response = await callPipedrive(hub, path, { method, json, attempts: method === 'PATCH' ? 3 : 1 });
  const { status } = response;
  if (status === 200 || status === 201)
    return { record: toCrmRecord(toObject(toObject(response.json())['data']), fields) };
  const isOfRecord = status === 400 || status === 404 || status === 410 || status === 422;
  if (isOfRecord) return { error: describeRefusal(response) };
  throw toPipedriveError(response);
}
