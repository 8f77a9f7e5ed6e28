import type { Hub } from '../../plugin.js';
import type { CrmField, CrmObject, CrmRecord, EntityObject } from '../adapter.js';
import { toList, toObject } from '../json.js';
import { querySalesforce, readSalesforce } from './salesforce-api.js';
import { isSimpleField, toSalesforceField, toSalesforceRecord } from './salesforce-values.js';
import { isOneOf } from './soql.js';

/** What Salesforce calls the objects. */
export const TYPES = { companies: 'Account', contacts: 'Contact', deals: 'Opportunity' } as const satisfies Record<
  CrmObject,
  string
>;
/** Fields that are always read. */
export const OWN_FIELDS: Readonly<Record<CrmObject, readonly string[]>> = {
  companies: ['Id', 'SystemModstamp', 'Name', 'Website'],
  contacts: ['Id', 'SystemModstamp', 'Name', 'Email'],
  deals: ['Id', 'SystemModstamp', 'Name', 'AccountId'],
};
/** Addresses of one query. */
const EMAILS_PER_QUERY = 50;

/** Lists the fields of an object that have one value. */
export async function describeFields(hub: Hub, object: EntityObject): Promise<readonly CrmField[]> {
  const { fields } = await readSalesforce(hub, `/sobjects/${TYPES[object]}/describe`);
  return toList(fields).map(toObject).filter(isSimpleField).map(toSalesforceField);
}

/** Reads records by ID; those that do not exist are missing. */
export async function readMany(
  hub: Hub,
  object: EntityObject,
  ids: readonly string[],
  fields: readonly string[],
): Promise<CrmRecord[]> {
  if (ids.length === 0) return [];
  const query = { from: TYPES[object], fields: [...OWN_FIELDS[object], ...fields], where: [isOneOf('Id', ids)] };
  const { rows } = await querySalesforce(hub, query);
  return rows.map(row => toSalesforceRecord(row, fields, []));
}

/** Finds contacts by their addresses; of several with one address, the oldest comes first. */
export async function findContacts(
  hub: Hub,
  emails: readonly string[],
  fields: readonly string[],
): Promise<CrmRecord[]> {
  const found: CrmRecord[] = [];
  for (let from = 0; from < emails.length; from += EMAILS_PER_QUERY) {
    const { rows } = await querySalesforce(hub, {
      from: TYPES.contacts,
      fields: [...OWN_FIELDS.contacts, ...fields],
      where: [isOneOf('Email', emails.slice(from, from + EMAILS_PER_QUERY))],
      orderBy: ['CreatedDate', 'Id'],
    });
    found.push(...rows.map(row => toSalesforceRecord(row, fields, [])));
  }
  return found;
}
