import manifest from '../../../plugins/crm/src/manifest.js';
import { splitName, toSalesforceRecord } from '../../../plugins/crm/src/adapters/salesforce/salesforce-values.js';
import { isOneOf, toSoql } from '../../../plugins/crm/src/adapters/salesforce/soql.js';
import { CrmPlugin } from '../../../plugins/crm/src/crm.plugin.js';
import { testHub } from '#sdk/testing/index.js';
import { resolveOAuth2Url, selectSignIn } from '#sdk/manifest/oauth2-rules.js';
import { settleCommits } from '../../support/database/commit-order.js';
import { account } from '../../support/graph/graph-calls.js';
import { startTestHub, type TestHub } from '../../support/hub.js';
import { FakeSalesforce } from '../../fakes/salesforce/server.ts';
import { connectCrm, PLUGINS_DIR, runSync } from './crm-client.ts';

const MARCH = '2026-03-01T09:00:00.000Z';
const INSTANCE = 'https://acme.my.salesforce.com';

describe('a connection to Salesforce', () => {
  const signedIn = (settings: object = {}) =>
    testHub(CrmPlugin, manifest, {
      accessToken: 'session-1',
      credentials: { instance_url: INSTANCE },
      settings: { provider: 'salesforce', ...settings },
    });

  it('sends requests to the organization that signed in, and refreshes the token that has expired', async () => {
    const hub = await signedIn();
    const query = { q: 'SELECT Id FROM Contact LIMIT 1' };
    const path = `${INSTANCE}/services/data/v64.0/query`;
    hub.http.expect('GET', path, { query, headers: { authorization: 'Bearer session-1' } }).reply(401);
    hub.http
      .expect('GET', path, { query, headers: { authorization: 'Bearer session-1-refreshed' } })
      .reply(200, { done: true, records: [] });
    expect(await hub.test()).toMatchObject({ outcome: 'ok' });
    await hub.close();
  });

  it('tells a user who may not read contacts from one whose organization has used up its calls', async () => {
    const hub = await signedIn();
    const fault = (errorCode: string) => [{ errorCode, message: 'Not now' }];
    hub.http.serve(() => ({ status: 400, body: fault('INVALID_TYPE') }));
    expect(await hub.test()).toMatchObject({ outcome: 'forbidden', message: expect.stringContaining('API Enabled') });
    hub.http.serve(() => ({ status: 403, body: fault('REQUEST_LIMIT_EXCEEDED') }));
    expect(await hub.test()).toMatchObject({ outcome: 'unreachable' });
    await hub.close();
  });

  it('needs the address of the organization beside a pasted token', async () => {
    const hub = await testHub(CrmPlugin, manifest, { settings: { provider: 'salesforce' } });
    expect(await hub.test()).toMatchObject({ outcome: 'unreachable', message: expect.stringContaining('api_url') });
    await hub.close();
  });

  it.each([
    [{}, 'https://login.salesforce.com/services/oauth2/authorize'],
    [{ salesforce_login: 'test' }, 'https://test.salesforce.com/services/oauth2/authorize'],
  ])('begins at the login of production or of a sandbox: %j', (settings, address) => {
    const values = { provider: 'salesforce', salesforce_login: 'login', ...settings };
    const { oauth2, client } = selectSignIn(manifest, values)!;
    expect(client).toBe('crm:salesforce');
    expect(resolveOAuth2Url(oauth2.authorizeUrl, values)).toBe(address);
  });
});

describe('a query of Salesforce', () => {
  it('takes the texts of users as texts', () => {
    const text = String.raw`') OR Name = 'x\y`;
    expect(isOneOf('Email', [text])).toBe(String.raw`Email IN ('\') OR Name = \'x\\y')`);
  });

  it.each(['Title FROM Contact', 'Owner.Name', '', '1st'])('has no field %j', field => {
    expect(() => toSoql({ from: 'Contact', fields: [field] })).toThrow('correct it in the settings');
  });
});

describe('a record of Salesforce', () => {
  it('has its values as texts, its time in UTC, and the host of its website', () => {
    const row = {
      Id: '001',
      Name: 'Acme',
      SystemModstamp: '2026-03-01T09:00:00.000+0000',
      Website: 'www.acme.example/about',
      NumberOfEmployees: 120,
      IsPartner: false,
      Industry: null,
    };
    expect(toSalesforceRecord(row, ['NumberOfEmployees', 'IsPartner', 'Industry'], [])).toMatchObject({
      updatedAt: MARCH,
      domain: 'acme.example',
      values: { NumberOfEmployees: '120', IsPartner: 'false', Industry: null },
    });
  });

  it.each([
    ['Ada King Byron', { FirstName: 'Ada King', LastName: 'Byron' }],
    ['Ada', { LastName: 'Ada' }],
    [null, { LastName: 'ada@acme.example' }],
  ])('needs a last name: %s', (name, names) => {
    expect(splitName(name, 'ada@acme.example')).toEqual(names);
  });
});

describe('contacts that were merged in Salesforce', () => {
  let hub: TestHub;
  let crm: FakeSalesforce;
  beforeAll(async () => {
    crm = await FakeSalesforce.start();
    hub = await startTestHub({ PLUGINS_DIR, EGRESS_ALLOWLIST: '127.0.0.1' });
  });
  afterAll(async () => {
    await hub?.end();
    await crm?.close();
  });

  it('are merged here, also by way of a third one', async () => {
    const client = await hub.workspace();
    for (const id of ['501', '502', '503']) crm.putContact(id, { name: 'Ada Byron', title: 'CFO' }, MARCH);
    await connectCrm(client, crm, { direction: 'pull', objects: ['contacts'] });
    await runSync(client);
    const now = new Date().toISOString();
    crm.mergeContacts('502', '503', now);
    crm.mergeContacts('501', '502', now);
    await settleCommits(hub);
    await runSync(client);
    const ids = await Promise.all(
      ['501', '502', '503'].map(async id => (await account(client, `external:salesforce:${id}`)).entity.id),
    );
    expect(new Set(ids).size).toBe(1);
  });
});
