import type { Json, JsonObject, TestResult } from '@rapport/plugin-sdk';
import type { Hub } from '../../plugin.js';
import type { CrmAdapter, CrmOwner, CrmStage, DeletedPage, EntityObject, PullPage, PullRequest } from '../adapter.js';
import { toText } from '../json.js';
import { testToken } from '../test-token.js';
import { callSalesforce, describeForbidden, hasAddress, NO_ADDRESS, querySalesforce } from './salesforce-api.js';
import { describeFields, findContacts, OWN_FIELDS, readMany, TYPES } from './salesforce-reads.js';
import { toSalesforceRecord, toTime } from './salesforce-values.js';
import { createContacts, updateRecords } from './salesforce-writes.js';
import { isOneOf, toLiteral, toSoql } from './soql.js';

/** Records of a page: their IDs stand in the query for merged ones, and addresses have at most 16 KB. */
const PAGE_LIMIT = 200;
const MAX_ROWS = 2_000;

/** Where the reading of records stands. */
interface PullCursor {
  readonly at: string;
  readonly id: string;
}

/** Salesforce by sign-in, or with the token of a session. Wire formats: REST API of developer.salesforce.com. */
export const salesforce: CrmAdapter = {
  provider: 'salesforce',
  standardFields: {
    contacts: [
      { field: 'Title', property: 'title', type: 'text' },
      { field: 'AccountId', property: 'company', type: 'company', isReadOnly: true },
      { field: 'Phone', property: 'phone', type: 'text' },
      { field: 'MailingCity', property: 'city', type: 'text' },
      { field: 'MailingCountry', property: 'country', type: 'text' },
      { field: 'OwnerId', property: 'owner', type: 'owner', isReadOnly: true },
    ],
    companies: [
      { field: 'Industry', property: 'industry', type: 'choice' },
      { field: 'NumberOfEmployees', property: 'headcount', type: 'number' },
      { field: 'AnnualRevenue', property: 'revenue', type: 'number' },
      { field: 'Phone', property: 'phone', type: 'text' },
      { field: 'BillingCity', property: 'city', type: 'text' },
      { field: 'BillingCountry', property: 'country', type: 'text' },
      { field: 'Description', property: 'description', type: 'text' },
      { field: 'OwnerId', property: 'owner', type: 'owner', isReadOnly: true },
    ],
  },
  stageField: 'StageName',
  test,
  readAccount,
  describe: describeFields,
  listStages,
  listOwners,
  pull,
  listDeleted,
  readMany,
  findContacts,
  update: updateRecords,
  createContacts,
};

async function test(hub: Hub): Promise<TestResult> {
  if (!hasAddress(hub)) return { outcome: 'unreachable', message: NO_ADDRESS };
  const q = toSoql({ from: TYPES.contacts, fields: ['Id'], limit: 1 });
  return testToken('Salesforce', callSalesforce(hub, '/query', { query: { q } }), describeForbidden);
}

async function readAccount(hub: Hub): Promise<string | null> {
  const { rows } = await querySalesforce(hub, { from: 'Organization', fields: ['Id'] });
  return toText(rows[0]?.['Id']);
}

async function listStages(hub: Hub): Promise<readonly CrmStage[]> {
  const fields = ['ApiName', 'MasterLabel', 'IsClosed', 'IsWon'];
  const { rows } = await querySalesforce(hub, { from: 'OpportunityStage', fields });
  return rows.map(({ ApiName, MasterLabel, IsClosed, IsWon }) => ({
    id: String(ApiName),
    label: toText(MasterLabel) ?? String(ApiName),
    type: IsWon === true ? 'won' : IsClosed === true ? 'lost' : 'open',
  }));
}

/** Lists colleagues, also those who have left; users of portals and integrations own no records. */
async function listOwners(hub: Hub): Promise<readonly CrmOwner[]> {
  const owners: CrmOwner[] = [];
  for (let after = ''; ;) {
    const where = ["UserType = 'Standard'", ...(after === '' ? [] : [`Id > ${toLiteral(after)}`])];
    const query = { from: 'User', fields: ['Id', 'Name'], where, orderBy: ['Id'], limit: MAX_ROWS };
    const { rows, isWhole } = await querySalesforce(hub, query);
    owners.push(...rows.map(({ Id, Name }) => ({ id: String(Id), name: toText(Name) ?? String(Id) })));
    if (rows.length === 0 || (isWhole && rows.length < MAX_ROWS)) return owners;
    after = owners.at(-1)!.id;
  }
}

async function pull(hub: Hub, { object, fields, since, cursor }: PullRequest): Promise<PullPage> {
  const { rows, isWhole } = await querySalesforce(hub, {
    from: TYPES[object],
    fields: [...OWN_FIELDS[object], ...fields],
    related: object === 'deals' ? ['(SELECT ContactId FROM OpportunityContactRoles)'] : [],
    where: toConditions(since, cursor as PullCursor | null),
    orderBy: since === null ? ['Id'] : ['SystemModstamp', 'Id'],
    limit: PAGE_LIMIT,
  });
  const merged = object === 'deals' ? new Map<string, string[]>() : await readMerged(hub, object, rows.map(toId));
  const records = rows.map(row => toSalesforceRecord(row, fields, merged.get(toId(row)) ?? []));
  const last = rows.at(-1);
  const isLast = last === undefined || (isWhole && rows.length < PAGE_LIMIT);
  return { records, cursor: isLast ? null : { at: toTime(last['SystemModstamp']), id: toId(last) } };
}

/** Records of one time are read by their IDs, so that no page loses some of them. */
function toConditions(since: string | null, cursor: PullCursor | null): string[] {
  if (since === null) return cursor === null ? [] : [`Id > ${toLiteral(cursor.id)}`];
  if (cursor === null) return [`SystemModstamp >= ${since}`];
  const { at, id } = cursor;
  return [`(SystemModstamp > ${at} OR (SystemModstamp = ${at} AND Id > ${toLiteral(id)}))`];
}

function toId(row: JsonObject): string {
  return String(row['Id']);
}

/** Returns the IDs of the records that were merged into records, also by way of others. They are in the recycle bin. */
async function readMerged(
  hub: Hub,
  object: EntityObject,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const merged = new Map<string, string[]>();
  const survivors = new Map(ids.map(id => [id, id]));
  const waiting = [...ids];
  while (waiting.length > 0) {
    const masters = waiting.splice(0, PAGE_LIMIT);
    const where = ['IsDeleted = TRUE', isOneOf('MasterRecordId', masters)];
    const query = { from: TYPES[object], fields: ['Id', 'MasterRecordId'], where };
    const { rows } = await querySalesforce(hub, query, { withDeleted: true });
    const found = rows.filter(row => !survivors.has(toId(row)));
    for (const row of found) {
      const survivor = survivors.get(String(row['MasterRecordId']))!;
      survivors.set(toId(row), survivor);
      merged.set(survivor, [...(merged.get(survivor) ?? []), toId(row)]);
    }
    waiting.push(...found.map(toId));
  }
  return merged;
}

/** Lists the recycle bin. A record that was merged into another one is not deleted. */
async function listDeleted(hub: Hub, object: EntityObject, cursor: Json): Promise<DeletedPage> {
  const after = toText(cursor);
  const where = ['IsDeleted = TRUE', 'MasterRecordId = NULL', ...(after === null ? [] : [`Id > ${toLiteral(after)}`])];
  const query = { from: TYPES[object], fields: ['Id'], where, orderBy: ['Id'], limit: MAX_ROWS };
  const { rows, isWhole } = await querySalesforce(hub, query, { withDeleted: true });
  const ids = rows.map(toId);
  return { ids, cursor: isWhole && ids.length < MAX_ROWS ? null : (ids.at(-1) ?? null) };
}
