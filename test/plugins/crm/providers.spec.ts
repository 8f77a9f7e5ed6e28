import { settleCommits } from '../../support/database/commit-order.js';
import { account } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import type { FakeCrm } from '../../fakes/crm/fake-crm.ts';
import { FakeAttio } from '../../fakes/attio/server.ts';
import { FakeHubspot } from '../../fakes/hubspot/server.ts';
import { FakePipedrive } from '../../fakes/pipedrive/server.ts';
import { FakeSalesforce } from '../../fakes/salesforce/server.ts';
import { connectCrm, PLUGINS_DIR, runSync } from './crm-client.ts';

const MARCH = '2026-03-01T09:00:00.000Z';
const APRIL = '2026-04-01T09:00:00.000Z';
/** What every provider must pass, with its fake: see docs/crm-adapters.md. */
const PROVIDERS: readonly [name: string, fake: FakeCrm][] = [
  ['Attio', new FakeAttio()],
  ['HubSpot', new FakeHubspot()],
  ['Pipedrive', new FakePipedrive()],
  ['Salesforce', new FakeSalesforce()],
];

let hub: TestHub;
let client: Client;

beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR, EGRESS_ALLOWLIST: '127.0.0.1' });
});

afterAll(() => hub?.end());

describe.each(PROVIDERS)('%s', (_name, crm) => {
  beforeAll(() => crm.listen());
  afterAll(() => crm.close());
  beforeEach(async () => {
    crm.reset();
    client = await hub.workspace();
  });

  const connect = (settings: object = {}) => connectCrm(client, crm, { direction: 'both', ...settings });
  const sync = async (body: object = {}) => {
    await settleCommits(hub);
    return runSync(client, body);
  };
  const claimsOf = async (focus: string) =>
    (await account(client, focus)).claims as Record<string, { value: unknown; sources: { source: string }[] }>;
  const ada = `external:${crm.provider}:501`;
  const correct = (focus: string, property: string, value: unknown) =>
    client.post('/v2/observations', {
      focus,
      observations: [{ kind: 'state', property, value, source: 'user', method: 'correction' }],
    });

  function fill(): void {
    crm.putCompany('77', { name: 'Acme', domain: 'acme-crm.example', headcount: 120 }, MARCH);
    const contact = { email: 'ada@acme-crm.example', name: 'Ada Byron', title: 'CFO', phone: '+4930901820' };
    crm.putContact('501', { ...contact, isOwned: true }, MARCH);
    crm.putContact('502', { email: 'bob@acme-crm.example', name: 'Bob Babbage' }, MARCH);
    crm.putDeal('31', { stage: 'open', companyId: '77', contactId: '501' }, MARCH);
  }

  it('tells a token that it does not know from one that may not read', async () => {
    const unknown = await connectCrm(client, crm, {}, 'other');
    expect(unknown).toMatchObject({ status: 400, body: { detail: expect.stringContaining('paste it again') } });
    crm.faults.push({ status: 403, body: {} });
    expect(await connect()).toMatchObject({ status: 400 });
    expect((await connect()).status).toBe(201);
  });

  it('gives its fields with what they state', async () => {
    await connect();
    await sync();
    const { body } = await client.get<{ fields: { name: string; property: string | null }[] }>(
      '/v2/plugins/crm/fields/contacts',
    );
    expect(body.fields.map(({ property }) => property)).toEqual(expect.arrayContaining(['title', 'owner', 'phone']));
  });

  it('gives companies, contacts and deals with their owners and stages', async () => {
    fill();
    await connect({ direction: 'pull' });
    const { result } = await sync();
    expect(result.counts).toMatchObject({
      companies: { read: 1, created: 1, failed: 0 },
      contacts: { read: 2, created: 2, failed: 0 },
      deals: { read: 1, updated: 1, failed: 0 },
    });
    expect(await claimsOf(ada)).toMatchObject({
      name: { value: 'Ada Byron' },
      title: { value: 'CFO', sources: [{ source: `crm:${crm.provider}` }] },
      owner: { value: 'Olga Owner' },
      stage: { value: 'Demo booked' },
      stage_type: { value: 'open' },
    });
    expect(await claimsOf('acme-crm.example')).toMatchObject({ headcount: { value: 120 }, name: { value: 'Acme' } });
    expect(crm.writes).toEqual([]);
  });

  it('gives what has changed, and ends the facts of fields that were cleared', async () => {
    fill();
    await connect({ direction: 'pull' });
    await sync();
    const now = new Date().toISOString();
    crm.putContact('501', { title: null }, now);
    crm.putDeal('31', { stage: 'won', companyId: '77', contactId: '501' }, now);
    const { result } = await sync();
    const read = crm.tellsChanges ? 1 : 2;
    expect(result.counts).toMatchObject({ contacts: { read, updated: 1 }, deals: { read: 1, updated: 1 } });
    const claims = await claimsOf(ada);
    expect(claims['title']?.value ?? null).toBeNull();
    expect(claims['stage_type']).toMatchObject({ value: 'won' });
  });

  it('gives the later of two values that have one time', async () => {
    const at = new Date().toISOString();
    await connect({ direction: 'pull', objects: ['contacts'] });
    for (const title of ['CFO', 'Head of Sales', 'Lawyer', 'CFO', 'Head of Sales']) {
      crm.putContact('501', { email: 'ada@acme-crm.example', title }, at);
      await sync();
      expect((await claimsOf(ada))['title']).toMatchObject({ value: title });
    }
  });

  it('gives every record of several pages once', async () => {
    for (let id = 1; id <= 620; id++) crm.putContact(String(id), { email: `p${id}@pages-crm.example` }, MARCH);
    await connect({ direction: 'pull', objects: ['contacts'] });
    expect((await sync()).result.counts['contacts']).toMatchObject({ read: 620, created: 620 });
    for (let id = 1; id <= 620; id++) crm.putContact(String(id), { title: 'CTO' }, new Date().toISOString());
    expect((await sync()).result.counts['contacts']).toMatchObject({ read: 620, updated: 620 });
  });

  it('takes corrections, numbers among them, and does not give them back as news', async () => {
    fill();
    await connect();
    await sync();
    await correct(ada, 'title', 'COO');
    await correct('acme-crm.example', 'headcount', 200);
    expect((await sync()).result.push).toMatchObject({ updated: 2, failed: 0 });
    expect(crm.contactOf('501')?.title).toBe('COO');
    const again = await sync();
    expect(again.result.counts['contacts']).toMatchObject({ created: 0, updated: 0 });
    expect(again.result.push).toMatchObject({ updated: 0 });
    expect(crm.writes).toHaveLength(2);
    expect((await claimsOf(ada))['title']!.sources.map(({ source }) => source)).toEqual(['user']);
    const { body } = await client.get('/v2/plugins/crm/records/contacts/501');
    expect(body).toMatchObject({ pushed_at: expect.any(String), reasons: { title: 'claim_wins' } });
  });

  it('takes the values of others beside a record that it refuses, and says why', async () => {
    fill();
    crm.refused.set('502', 'This contact is locked.');
    await connect();
    await sync();
    await correct(ada, 'title', 'COO');
    await correct(`external:${crm.provider}:502`, 'title', 'CTO');
    const run = await sync();
    expect(run.result.push).toMatchObject({ updated: 1, failed: 1 });
    expect(crm.contactOf('501')?.title).toBe('COO');
    const { body } = await client.get('/v2/plugins/crm/records/contacts/502');
    expect(body).toMatchObject({ error: expect.stringContaining('This contact is locked.') });
  });

  it('takes a contact once, although the response is lost', async () => {
    await connect({ objects: ['contacts'], create_in_crm: true });
    await sync();
    await client.post('/v2/observations', {
      focus: 'eve@new-crm.example',
      observations: [
        { kind: 'state', property: 'title', value: 'CIO' },
        { kind: 'event', property: 'interaction.meeting_scheduled', value: { description: 'A demo was booked.' } },
      ],
    });
    crm.lostReplies = 1;
    await sync();
    await sync();
    const [id, ...others] = crm.contactsWith('eve@new-crm.example');
    expect(others).toEqual([]);
    expect(crm.contactOf(id!)?.title).toBe('CIO');
  });

  it('is linked with the contact of an address instead of getting a second one', async () => {
    await connect({ direction: 'push', objects: ['contacts'], create_in_crm: true });
    await sync();
    crm.putContact('501', { email: 'eve@new-crm.example', name: 'Eve' }, APRIL);
    await client.post('/v2/observations', {
      focus: 'eve@new-crm.example',
      observations: [
        { kind: 'state', property: 'title', value: 'CIO' },
        { kind: 'event', property: 'interaction.meeting_scheduled', value: { description: 'A demo was booked.' } },
      ],
    });
    expect((await sync()).result.push).toMatchObject({ created: 0, updated: 1 });
    expect(crm.contactsWith('eve@new-crm.example')).toEqual(['501']);
    expect(crm.contactOf('501')?.title).toBe('CIO');
  });

  it('gets no second contact for one that was deleted, and gives one that was restored', async () => {
    fill();
    await connect({ create_in_crm: true });
    await sync();
    crm.deleteContact('501');
    await client.post('/v2/observations', {
      focus: ada,
      observations: [
        { kind: 'state', property: 'title', value: 'COO', source: 'user', method: 'correction' },
        { kind: 'event', property: 'interaction.meeting_scheduled', value: { description: 'A demo was booked.' } },
      ],
    });
    expect((await sync({ mode: 'full' })).result.push).toMatchObject({ created: 0, updated: 0, failed: 0 });
    expect(crm.contactsWith('ada@acme-crm.example')).toEqual([]);
    expect((await claimsOf(ada))['title']).toMatchObject({ value: 'COO' });
    crm.restoreContact('501');
    await sync();
    const { body } = await client.get('/v2/plugins/crm/records/contacts/501');
    expect(body).toMatchObject({ state: 'synced' });
  });

  it('is called again later after too many calls, and after it was away', async () => {
    fill();
    await connect({ direction: 'pull' });
    crm.faults.push(crm.tooManyRequests, { status: 503, body: {} });
    expect(await sync()).toMatchObject({ status: 'finished', result: { counts: { contacts: { read: 2 } } } });
  });

  it('is not synced with what is known of another account', async () => {
    fill();
    await connect();
    await sync();
    crm.account = 2;
    expect(await sync()).toMatchObject({ status: 'failed', error: expect.stringContaining('disconnect it') });
    crm.account = 1;
    expect(await sync()).toMatchObject({ status: 'finished' });
  });

  it('ends the sync with what to do if it no longer accepts the token', async () => {
    await connect({ direction: 'pull' });
    crm.faults.push({ status: 401, body: {} });
    expect(await sync()).toMatchObject({ status: 'failed', error: expect.stringContaining('connect again') });
  });
});
