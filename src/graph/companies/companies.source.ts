import { buildCatalogue } from '#domain/filters/filter.js';
import { parseDuration } from '#domain/filters/comparand.js';
import type { ListFields } from '../lists/list-request.js';
import type { ListSource } from '../lists/page.queries.js';
import { FIT_SCORE } from '../people/people.source.js';

/** Properties that every row shows, by canonical name. */
export const COMPANY_PROPERTIES: readonly string[] =
  'domain linkedin_url industry headcount city country phone stage source status lead_score enriched_at'.split(' ');

/** The fields of a row. */
export const COMPANY_FIELDS: readonly string[] = [
  'id entity_id name domain linkedin_url industry company_size city country phone stage source status icp_score icp_fit',
  'people_count first_seen_at last_activity_at enriched_at created_at updated_at',
].flatMap(line => line.split(' '));

/** SQL of the people of a company. People of a merged company have the id of the canonical one. */
const peopleOfSql = (aggregate: string) => `
  (SELECT ${aggregate} FROM entities person
   WHERE person.workspace_id = $1 AND person.company_id = e.id AND person.type = 'person'
     AND person.canonical_id IS NULL)`;

/** SQL of the latest interaction with a company or one of its people. */
export const COMPANY_ACTIVITY_SQL = `greatest(e.last_activity_at, ${peopleOfSql('max(person.last_activity_at)')})`;

/** SQL of the number of people of a company. */
export const PEOPLE_COUNT_SQL = peopleOfSql('count(*)::int');

/** The companies of a workspace. Merged companies are listed under the canonical id. */
export const companiesSource: ListSource = {
  catalogue: buildCatalogue({
    uuid: ['id', 'entity_id=id'],
    name: ['name'],
    claim: ['icp_score=lead_score'],
    linkedin: ['linkedin_url'],
    domain: ['domain'],
    number: ['people_count'],
    time: ['created_at', 'first_seen_at=created_at', 'last_activity_at'],
  }),
  from: 'entities e',
  where: "e.workspace_id = $1 AND e.type = 'company' AND e.canonical_id IS NULL",
  id: 'e.id',
  entity: 'e.id',
  claimCondition: condition => `EXISTS (SELECT FROM claims c WHERE c.entity_id = e.id AND ${condition})`,
  entityCondition: ids => `e.id IN (${ids})`,
  company: 'e.id',
  columns: {
    id: { sql: 'e.id', type: 'uuid' },
    name: { sql: 'e.name_key', type: 'text' },
    people_count: { sql: PEOPLE_COUNT_SQL, type: 'int4' },
    created_at: { sql: 'e.created_at', type: 'timestamptz' },
    last_activity_at: { sql: COMPANY_ACTIVITY_SQL, type: 'timestamptz' },
  },
  // Ids are UUIDv7, so they sort by time, and they are indexed.
  sorts: { created_at: { sql: 'e.id', type: 'uuid' } },
};

const DURATION_FORMAT = 'a duration such as 30d, 12h, 90m or 45s';

/** Fields, sorts and parameters of the list of companies. */
export const companyListFields: ListFields = {
  path: '/v2/companies',
  fields: new Set(COMPANY_FIELDS),
  properties: COMPANY_PROPERTIES,
  catalogue: companiesSource.catalogue,
  defaultSort: '-created_at',
  derivedColumns: new Set(['name']),
  namedSorts: {
    recently_added: '-created_at',
    last_activity: '-last_activity_at',
    last_activity_asc: 'last_activity_at',
    icp_score: '-icp_score',
    icp_score_asc: 'icp_score',
  },
  parameters: {
    search: text => ({
      $or: ['name', 'domain', 'industry', 'linkedin_url'].map(name => ({ [name]: { $contains: text } })),
    }),
    icp_fit: value => {
      const fits = { icp_score: { $gte: FIT_SCORE } };
      if (value === 'true') return fits;
      return value === 'false' ? { $not: fits } : 'true or false';
    },
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
