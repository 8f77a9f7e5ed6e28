import type { Json, JsonObject } from '@rapport/plugin-sdk';
import type { Hub } from '../../plugin.js';
import {
  type CrmAdapter,
  type CrmField,
  type CrmObject,
  type CrmOwner,
  type CrmRecord,
  type CrmStage,
  ENTITY_OBJECTS,
  type EntityObject,
  type FieldType,
  type NewContact,
  type PullPage,
  type PullRequest,
  type RecordUpdate,
  type WriteResult,
} from '../adapter.js';
import { readBody, toList, toObject, toText } from '../json.js';
import { testToken } from '../test-token.js';
import { callHubspot, describeMissingScopes, readAssociations, readHubspot, toError } from './hubspot-api.js';
import { pullHubspotActivities } from './hubspot-activities.js';
import { type HubspotRow, listArchivedHubspot, pullHubspot } from './hubspot-pages.js';
import { type BatchResult, readBatch, writeBatch } from './hubspot-writes.js';

const OWNERS_PER_PAGE = 500;
const text = (field: string, property: string) => ({ field, property, type: 'text' as const });

/** Fields that every pull needs besides the mapped ones. */
const OWN_FIELDS: Readonly<Record<CrmObject, readonly string[]>> = {
  companies: ['name', 'domain', 'hs_merged_object_ids'],
  contacts: ['email', 'firstname', 'lastname', 'hs_additional_emails', 'hs_merged_object_ids'],
  deals: [],
};

/** HubSpot by the token of a private app. Wire formats: developers.hubspot.com, CRM API v3 and associations v4. */
export const hubspot: CrmAdapter = {
  provider: 'hubspot',
  standardFields: {
    contacts: [
      text('jobtitle', 'title'),
      text('company', 'company'),
      text('phone', 'phone'),
      text('city', 'city'),
      text('country', 'country'),
      text('hs_linkedin_url', 'linkedin_url'),
      { field: 'lifecyclestage', property: 'lifecycle_stage', type: 'choice', isReadOnly: true },
      { field: 'hs_lead_status', property: 'lead_status', type: 'choice', isReadOnly: true },
      { field: 'hubspot_owner_id', property: 'owner', type: 'owner', isReadOnly: true },
    ],
    companies: [
      { field: 'industry', property: 'industry', type: 'choice' },
      { field: 'numberofemployees', property: 'headcount', type: 'number' },
      { field: 'annualrevenue', property: 'revenue', type: 'number' },
      text('city', 'city'),
      text('country', 'country'),
      text('phone', 'phone'),
      text('description', 'description'),
      { field: 'lifecyclestage', property: 'lifecycle_stage', type: 'choice', isReadOnly: true },
      { field: 'hubspot_owner_id', property: 'owner', type: 'owner', isReadOnly: true },
    ],
  },
  stageField: 'dealstage',
  test: hub =>
    testToken('HubSpot', callHubspot(hub, '/crm/v3/objects/contacts', { query: { limit: 1 } }), response =>
      describeMissingScopes(readBody(response)),
    ),
  readAccount,
  describe: describeFields,
  listStages,
  listOwners,
  pull,
  listDeleted: listArchivedHubspot,
  pullActivities: pullHubspotActivities,
  readMany: (hub, object, ids, fields) => readRecords(hub, object, ids, fields),
  findContacts: (hub, emails, fields) => readRecords(hub, 'contacts', emails, fields, 'email'),
  update: updateRecords,
  createContacts,
};

async function readAccount(hub: Hub): Promise<string | null> {
  const response = await callHubspot(hub, '/account-info/v3/details');
  if (response.status === 200) return toText(toObject(response.json())['portalId']);
  if (response.status === 403 || response.status === 404) return null;
  throw toError(response);
}

async function describeFields(hub: Hub, object: EntityObject): Promise<readonly CrmField[]> {
  const { results } = await readHubspot(hub, `/crm/v3/properties/${object}`);
  return toList(results).map(each => {
    const { name, label, type, options, modificationMetadata, referencedObjectType } = toObject(each);
    const choices = toList(options).map(option => {
      const { value, label: shown } = toObject(option);
      return [String(value), toText(shown) ?? String(value)] as const;
    });
    return {
      name: String(name),
      label: toText(label) ?? String(name),
      type: toText(type) ?? 'string',
      valueType: toValueType(type, referencedObjectType),
      choices: Object.fromEntries(choices),
      isReadOnly: toObject(modificationMetadata)['readOnlyValue'] === true,
    };
  });
}

function toValueType(type: Json | undefined, referencedObjectType: Json | undefined): FieldType {
  if (type === 'number') return 'number';
  return referencedObjectType === 'OWNER' ? 'owner' : 'choice';
}

async function listStages(hub: Hub): Promise<readonly CrmStage[]> {
  const { results } = await readHubspot(hub, '/crm/v3/pipelines/deals');
  const stages = toList(results).flatMap(pipeline => toList(toObject(pipeline)['stages']));
  return stages.map(each => {
    const { id, label, metadata } = toObject(each);
    const { isClosed, probability } = toObject(metadata);
    // HubSpot sends both as texts.
    const closed = String(isClosed) === 'true';
    const type = !closed ? 'open' : Number(probability) === 1 ? 'won' : 'lost';
    return { id: String(id), label: toText(label) ?? String(id), type };
  });
}

async function listOwners(hub: Hub): Promise<readonly CrmOwner[]> {
  const owners: CrmOwner[] = [];
  for (const archived of [false, true]) {
    for (let after: string | null = ''; after !== null;) {
      const query = { limit: OWNERS_PER_PAGE, archived, ...(after !== '' && { after }) };
      const { results, paging } = await readHubspot(hub, '/crm/v3/owners', { query });
      owners.push(...toList(results).map(each => toOwner(toObject(each))));
      after = toText(toObject(toObject(paging)['next'])['after']);
    }
  }
  return owners;
}

function toOwner({ id, firstName, lastName, email }: JsonObject): CrmOwner {
  const name = [toText(firstName), toText(lastName)].filter(Boolean).join(' ');
  return { id: String(id), name: name || (toText(email) ?? String(id)) };
}

async function readRecords(
  hub: Hub,
  object: EntityObject,
  ids: readonly string[],
  fields: readonly string[],
  idProperty?: string,
): Promise<CrmRecord[]> {
  const properties = [...new Set([...OWN_FIELDS[object], ...fields])];
  const rows = await readBatch(hub, object, { ids, properties, ...(idProperty !== undefined && { idProperty }) });
  return rows.map(row => toRecord(row, fields, []));
}

async function updateRecords(hub: Hub, object: EntityObject, updates: readonly RecordUpdate[]): Promise<WriteResult[]> {
  const inputs = updates.map(({ id, values }) => ({ id, properties: values }));
  const results = await writeBatch(hub, `/crm/v3/objects/${object}/batch/update`, inputs);
  return results.map((result, index) => toWriteResult(result, Object.keys(updates[index]!.values)));
}

async function createContacts(hub: Hub, contacts: readonly NewContact[]): Promise<WriteResult[]> {
  const inputs = contacts.map(({ email, name, values }) => {
    const [firstname = '', ...rest] = (name ?? '').split(' ').filter(Boolean);
    const lastname = rest.join(' ');
    const named = { ...(firstname !== '' && { firstname }), ...(lastname !== '' && { lastname }) };
    return { id: email, idProperty: 'email', properties: { ...named, ...values, email } };
  });
  const results = await writeBatch(hub, '/crm/v3/objects/contacts/batch/upsert', inputs);
  return results.map((result, index) => toWriteResult(result, Object.keys(contacts[index]!.values)));
}

function toWriteResult(result: BatchResult, fields: readonly string[]): WriteResult {
  return 'row' in result ? { record: toRecord(result.row, fields, []) } : result;
}

async function pull(hub: Hub, { object, fields, ...request }: PullRequest): Promise<PullPage> {
  const wanted = [...new Set([...OWN_FIELDS[object], ...fields])];
  const page = await pullHubspot(hub, { ...request, object, fields: wanted });
  const links =
    object === 'deals'
      ? await readLinks(
          hub,
          page.rows.map(({ id }) => id),
        )
      : new Map<string, Links>();
  return { cursor: page.cursor, records: page.rows.map(row => toRecord(row, fields, links.get(row.id) ?? [])) };
}

type Links = CrmRecord['links'];

/** Reads which companies and contacts deals are about. */
async function readLinks(hub: Hub, ids: readonly string[]): Promise<ReadonlyMap<string, Links>> {
  const links = new Map<string, Links>(ids.map(id => [id, []]));
  for (const object of ENTITY_OBJECTS) {
    for (const [id, targets] of await readAssociations(hub, 'deals', object, ids))
      links.set(id, [...(links.get(id) ?? []), ...targets.map(target => ({ object, id: target }))]);
  }
  return links;
}

function toRecord({ id, updatedAt, properties }: HubspotRow, fields: readonly string[], links: Links): CrmRecord {
  const value = (field: string) => toText(properties[field]);
  const name = [value('firstname'), value('lastname')].filter(Boolean).join(' ');
  const emails = [value('email'), ...splitList(properties['hs_additional_emails'])].filter(each => each !== null);
  return {
    id,
    updatedAt,
    name: name || value('name'),
    emails: [...new Set(emails.map(email => email.toLowerCase()))],
    domain: value('domain'),
    mergedIds: splitList(properties['hs_merged_object_ids']),
    values: Object.fromEntries(fields.map(field => [field, value(field)])),
    links,
  };
}

/** Splits a text with several values. */
function splitList(value: Json | undefined): string[] {
  return (toText(value) ?? '')
    .split(';')
    .map(part => part.trim())
    .filter(Boolean);
}
