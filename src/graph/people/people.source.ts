import { buildCatalogue } from '#domain/filters/filter.js';
import { parseDuration } from '#domain/filters/comparand.js';
import { parseFocus } from '#domain/identity/focus.js';
import type { ListFields } from '../lists/list-request.js';
import type { ListSource } from '../lists/page.queries.js';

/** Properties that every row shows, by canonical name. */
export const PERSON_PROPERTIES: readonly string[] = [
  'email linkedin_url first_name last_name title seniority department company industry headcount',
  'city country phone photo_url stage source status lead_score enriched_at',
].flatMap(line => line.split(' '));

/** The fields of a row. */
export const PERSON_FIELDS: readonly string[] = [
  'id entity_id name first_name last_name email linkedin_url title job_title seniority department company company_id',
  'account domain industry company_size city country phone photo_url stage pipeline_stage source status icp_score icp_fit',
  'first_seen_at last_activity_at enriched_at created_at updated_at',
].flatMap(line => line.split(' '));

/** Minimum ICP score of a person who fits the ideal customer profile. */
export const FIT_SCORE = 70;

/** The people of a workspace. Merged people are listed under the canonical id. */
export const peopleSource: ListSource = {
  catalogue: buildCatalogue({
    uuid: ['id', 'entity_id=id'],
    name: ['name'],
    claim: ['icp_score=lead_score'],
    email: ['email'],
    linkedin: ['linkedin_url'],
    account: ['account', 'company_id=account', 'domain=account'],
    time: [
      'created_at',
      'first_seen_at=created_at',
      'last_activity_at',
      'first_activity_at',
      'last_inbound_activity_at',
    ],
  }),
  from: 'entities e',
  where: "e.workspace_id = $1 AND e.type = 'person' AND e.canonical_id IS NULL",
  id: 'e.id',
  entity: 'e.id',
  claimCondition: condition => `EXISTS (SELECT FROM claims c WHERE c.entity_id = e.id AND ${condition})`,
  entityCondition: ids => `e.id IN (${ids})`,
  company: 'e.company_id',
  columns: {
    id: { sql: 'e.id', type: 'uuid' },
    name: { sql: 'e.name_key', type: 'text' },
    created_at: { sql: 'e.created_at', type: 'timestamptz' },
    last_activity_at: { sql: 'e.last_activity_at', type: 'timestamptz' },
    first_activity_at: { sql: 'e.first_activity_at', type: 'timestamptz' },
    last_inbound_activity_at: { sql: 'e.last_inbound_activity_at', type: 'timestamptz' },
  },
  // Ids are UUIDv7, so they sort by time, and they are indexed.
  sorts: { created_at: { sql: 'e.id', type: 'uuid' } },
};

/** Columns of a person that are derived from the log. */
export const DERIVED_COLUMNS: ReadonlySet<string> = new Set([
  'name',
  'last_activity_at',
  'first_activity_at',
  'last_inbound_activity_at',
]);

const DURATION_FORMAT = 'a duration such as 30d, 12h, 90m or 45s';
const parseFlag = (value: string, yes: object): object | string => {
  if (value === 'true') return yes;
  return value === 'false' ? { $not: yes } : 'true or false';
};

/** Conditions on the person of a row, shared by people and leads. */
export const personParameters: ListFields['parameters'] = {
  search: text => ({
    $or: ['email', 'name', 'first_name', 'last_name', 'company', 'linkedin_url'].map(name => ({
      [name]: { $contains: text },
    })),
  }),
  has_email: value => parseFlag(value, { email: { $exists: true } }),
  has_linkedin: value => parseFlag(value, { linkedin_url: { $exists: true } }),
  // Matches the claim `company` of the person or the domain of the account.
  company: value => {
    const claimed = { company: value };
    return parseFocus(value).form === 'domain' ? { $or: [claimed, { account: value }] } : claimed;
  },
};

/** Fields, sorts and parameters of the list of people. */
export const peopleListFields: ListFields = {
  path: '/v2/people',
  fields: new Set(PERSON_FIELDS),
  properties: PERSON_PROPERTIES,
  catalogue: peopleSource.catalogue,
  defaultSort: '-last_activity_at',
  derivedColumns: DERIVED_COLUMNS,
  namedSorts: {
    last_activity: '-last_activity_at',
    last_activity_asc: 'last_activity_at',
    icp_score: '-icp_score',
    icp_score_asc: 'icp_score',
    recently_added: '-created_at',
  },
  parameters: {
    ...personParameters,
    icp_fit: value => parseFlag(value, { icp_score: { $gte: FIT_SCORE } }),
    min_icp_score: value =>
      /^(?:\d\d?|100)$/.test(value) ? { icp_score: { $gte: Number(value) } } : 'a whole number from 0 to 100',
    last_activity_before: value =>
      parseDuration(value) === undefined
        ? DURATION_FORMAT
        : { $or: [{ last_activity_at: { $lt: `-${value}` } }, { last_activity_at: { $exists: false } }] },
    last_activity_after: value =>
      parseDuration(value) === undefined ? DURATION_FORMAT : { last_activity_at: { $gte: `-${value}` } },
  },
};
