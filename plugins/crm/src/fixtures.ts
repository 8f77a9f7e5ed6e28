import type { Json, JsonObject } from '@rapport/plugin-sdk';
import type { Fixtures, SentRequest, TestReply } from '@rapport/plugin-sdk/testing';

const updatedAt = '2026-01-04T09:30:00.000Z';

const company = { id: '77', updatedAt, properties: { name: 'Acme', domain: 'acme.example', numberofemployees: '120' } };
const contact = (id: string, email: string, jobtitle: string) => ({
  id,
  updatedAt,
  properties: { email, firstname: 'Ada', lastname: 'Byron', jobtitle, hubspot_owner_id: '9' },
});
const deal = { id: '31', updatedAt, properties: { dealstage: 'qualified', hubspot_owner_id: '9' } };
const properties = ['jobtitle', 'numberofemployees', 'hubspot_owner_id'].map(name => ({
  name,
  label: name,
  type: 'string',
}));

/** HubSpot, as far as the plugin reads it: one company, two pages of contacts, and one deal. */
class FakeHubspot {
  subscriptions(): number {
    return 0;
  }

  answer({ url, headers }: SentRequest): TestReply | undefined {
    if (headers['authorization'] !== 'Bearer test-access_token') return { status: 401, body: { status: 'error' } };
    const path = url.pathname;
    if (path.startsWith('/crm/v3/properties/')) return ok(properties);
    if (path === '/account-info/v3/details') return { status: 200, body: { portalId: 1 } };
    if (path === '/crm/v3/pipelines/deals') return ok([{ id: 'p', stages: [{ id: 'qualified', label: 'Qualified' }] }]);
    if (path === '/crm/v3/owners') return ok([{ id: '9', firstName: 'Olga', lastName: 'Owner' }]);
    if (path.startsWith('/crm/v4/associations/')) return ok([{ from: { id: '31' }, to: [{ toObjectId: 501 }] }]);
    if (path === '/crm/v3/objects/contacts/batch/read') return ok([contact('501', 'ada@acme.example', 'CFO')]);
    if (path === '/crm/v3/objects/companies') return ok([company]);
    if (path === '/crm/v3/objects/deals') return ok([deal]);
    if (path !== '/crm/v3/objects/contacts') return undefined;
    return url.searchParams.get('after') === '501'
      ? ok([contact('502', 'bob@acme.example', 'CTO')])
      : ok([contact('501', 'ada@acme.example', 'CFO')], '501');
  }
}

function ok(results: Json, after?: string): TestReply {
  const body: JsonObject = { results, ...(after !== undefined && { paging: { next: { after } } }) };
  return { status: 200, body };
}

/** Examples of everything that the manifest declares, for `conformance` and `rapport plugin check`. */
export default {
  credentials: { access_token: 'test-access_token' },
  provider: () => new FakeHubspot(),
  jobs: { schedule: null },
  runs: { sync: { mode: 'full' } },
  routes: {
    sync: { body: { dry_run: true } },
    status: {},
    record: { params: { object: 'contacts', id: '501' } },
    fields: { params: { object: 'contacts' } },
    'sync-record': { params: { object: 'contacts', id: '501' } },
    approve: { body: { decision: 'discard' } },
    changes: {},
    reviews: {},
    decide: { params: { object: 'contacts', id: '501', field: 'jobtitle' }, body: { decision: 'keep' } },
  },
} satisfies Fixtures;
