import { settleCommits } from '../../support/database/commit-order.js';
import { account } from '../../support/graph/graph-calls.js';
import type { Client } from '../../support/hub.js';
import { FakePipedrive } from '../../fakes/pipedrive/server.ts';
import { connectCrm, runSync, setUpCrm } from './crm-client.ts';

const MARCH = '2026-03-01T09:00:00.000Z';
const APRIL = '2026-04-01T09:00:00.000Z';

const stage = setUpCrm();
let client: Client;

beforeEach(async () => {
  stage.hubspot.reset();
  client = await stage.hub.workspace();
});

const connect = (settings: object = {}, token?: string) => connectCrm(client, stage.hubspot, settings, token);
const sync = (body: object = {}) => runSync(client, body);

const claimsOf = async (focus: string) =>
  (await account(client, focus)).claims as Record<string, { value: unknown; source?: string } | undefined>;

function fillHubspot(): void {
  const company = { name: 'Acme', domain: 'acme-crm.example', industry: 'COMPUTER_SOFTWARE', numberofemployees: '120' };
  stage.hubspot.put('companies', '77', company, MARCH);
  const ada = { email: 'ada@acme-crm.example', firstname: 'Ada', lastname: 'Byron', jobtitle: 'CFO', phone: null };
  stage.hubspot.put('contacts', '501', { ...ada, lifecyclestage: 'customer', hubspot_owner_id: '9' }, MARCH);
  stage.hubspot.put('contacts', '502', { email: 'bob@acme-crm.example', firstname: 'Bob', jobtitle: 'CTO' }, MARCH);
  stage.hubspot.put('deals', '31', { dealstage: 'lost' }, APRIL);
  stage.hubspot.put('deals', '32', { dealstage: 'demo' }, MARCH);
  stage.hubspot.links.set('31', { companies: ['77'], contacts: [] });
  stage.hubspot.links.set('32', { companies: ['77'], contacts: ['501'] });
}

const NONE = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0, deleted: 0 };

describe('a connection', () => {
  it('is refused with what to do for an unknown token, and for one that lacks permissions', async () => {
    const unknown = await connect({}, 'pat-other');
    expect(unknown).toMatchObject({ status: 400, body: { detail: expect.stringContaining('paste it again') } });
    const context = { requiredGranularScopes: ['crm.objects.contacts.read'] };
    stage.hubspot.faults.push({ status: 403, body: { category: 'MISSING_SCOPES', errors: [{ context }] } });
    const missing = await connect();
    expect(missing.status).toBe(400);
    expect(missing.body.detail).toContain('crm.objects.contacts.read');
  });

  it('needs the plan growth', async () => {
    const starter = await stage.hub.workspace('starter');
    expect((await starter.post('/v2/plugins/crm/sync', {})).status).toBe(404);
  });
});

describe('a sync', () => {
  it('previews in a dry run, then reads companies, contacts and the stages of deals', async () => {
    fillHubspot();
    expect((await connect()).status).toBe(201);
    const preview = await sync({ dry_run: true });
    expect(preview.result.counts).toMatchObject({
      companies: { ...NONE, read: 1, created: 1 },
      contacts: { ...NONE, read: 2, created: 2 },
      deals: { ...NONE, read: 2, updated: 2 },
    });
    expect(preview.result.samples).toContainEqual({
      object: 'contacts',
      id: '501',
      name: 'Ada Byron',
      outcome: 'created',
      values: { title: 'CFO', lifecycle_stage: 'Customer', owner: 'Olga Owner' },
    });
    expect((await client.get('/v2/accounts/ada@acme-crm.example')).status).toBe(404);
    expect((await sync()).result.counts).toMatchObject({
      companies: { ...NONE, read: 1, created: 1 },
      contacts: { ...NONE, read: 2, created: 2 },
    });
    const company = await claimsOf('external:company:hubspot:77');
    expect(company).toMatchObject({
      industry: { value: 'Computer Software' },
      headcount: { value: 120 },
      stage: { value: 'Demo booked' },
      stage_type: { value: 'open' },
    });
    const ada = await claimsOf('external:hubspot:501');
    expect(ada).toMatchObject({
      name: { value: 'Ada Byron' },
      title: { value: 'CFO' },
      stage: { value: 'Demo booked' },
    });
    const { body } = await client.get('/v2/plugins/crm/records/contacts/501');
    expect(body).toMatchObject({ state: 'synced', updated_at: MARCH, values: { jobtitle: 'CFO', phone: null } });
  });

  it('reads only what changed, states only changed values, and ends a value that was cleared', async () => {
    fillHubspot();
    await connect();
    await sync();
    const asked = stage.hubspot.asked.length;
    const now = new Date().toISOString();
    stage.hubspot.put('contacts', '501', { jobtitle: 'CEO' }, now);
    stage.hubspot.put('contacts', '502', { jobtitle: null, city: 'Berlin' }, now);
    expect((await sync()).result.counts).toMatchObject({
      companies: { ...NONE, read: 0 },
      contacts: { ...NONE, read: 2, updated: 2 },
    });
    expect(stage.hubspot.asked.slice(asked).filter(({ path }) => path.endsWith('/search'))).toHaveLength(3);
    expect((await claimsOf('ada@acme-crm.example'))['title']!.value).toBe('CEO');
    const bob = await account(client, 'bob@acme-crm.example');
    expect(bob.claims).toMatchObject({ title: { value: null }, city: { value: 'Berlin' } });
    const again = await sync();
    expect(again.result.counts['contacts']).toEqual({ ...NONE, read: 2, unchanged: 2 });
  });

  it('adds a further address without making it the one to write to, and follows the main one', async () => {
    fillHubspot();
    await connect({ objects: ['contacts'] });
    await sync();
    const change = async (properties: Record<string, string>) => {
      stage.hubspot.put('contacts', '501', properties, new Date().toISOString());
      await sync();
      return (await claimsOf('external:hubspot:501'))['email']!.value;
    };
    expect(await change({ hs_additional_emails: 'ada.private@mail.example' })).toBe('ada@acme-crm.example');
    expect((await client.get('/v2/accounts/ada.private@mail.example')).status).toBe(200);
    const swapped = { email: 'ada.private@mail.example', hs_additional_emails: 'ada@acme-crm.example' };
    expect(await change(swapped)).toBe('ada.private@mail.example');
  });

  it('follows a deal from one company to another, and from stage to stage', async () => {
    fillHubspot();
    stage.hubspot.put('deals', '31', {}, '2026-02-01T09:00:00.000Z');
    stage.hubspot.put('companies', '78', { name: 'Beta', domain: 'beta-crm.example' }, MARCH);
    await connect({ objects: ['companies', 'deals'] });
    await sync();
    stage.hubspot.links.set('32', { companies: ['78'], contacts: [] });
    stage.hubspot.put('deals', '32', { dealstage: 'won' }, new Date().toISOString());
    await sync();
    expect(await claimsOf('acme-crm.example')).toMatchObject({ stage_type: { value: 'lost' } });
    expect(await claimsOf('beta-crm.example')).toMatchObject({
      stage: { value: 'Closed won' },
      stage_type: { value: 'won' },
    });
  });

  it('splits the choices of a field, and no text', async () => {
    stage.hubspot.fields['contacts'] = {
      ...stage.hubspot.fields['contacts'],
      uses: { a: 'Alpha', b: 'Beta' },
      remark: {},
    };
    stage.hubspot.put(
      'contacts',
      '501',
      { email: 'ada@acme-crm.example', uses: 'a;b', remark: 'Met; liked it' },
      MARCH,
    );
    await connect({ objects: ['contacts'], field_map: { technologies: 'uses', remark: 'remark' } });
    await sync();
    const claims = await claimsOf('ada@acme-crm.example');
    expect(claims).toMatchObject({ technologies: { value: ['Alpha', 'Beta'] }, remark: { value: 'Met; liked it' } });
  });

  it('keeps a correction although the CRM repeats its old value', async () => {
    fillHubspot();
    await connect();
    await sync();
    await client.post('/v2/observations', {
      focus: 'ada@acme-crm.example',
      observations: [{ kind: 'state', property: 'title', value: 'COO', source: 'user', method: 'correction' }],
    });
    await sync({ mode: 'full' });
    expect((await claimsOf('ada@acme-crm.example'))['title']!.value).toBe('COO');
  });

  it('leaves out filtered contacts, and unknown ones where nobody is to be added', async () => {
    fillHubspot();
    await client.post('/v2/people', { email: 'bob@acme-crm.example', name: 'Bob' });
    await connect({ create: false, objects: ['contacts'] });
    expect((await sync()).result.counts).toEqual({ contacts: { ...NONE, read: 2, skipped: 1, updated: 1 } });
    await client.patch('/v2/workspace/integrations/crm', {
      settings: { create: true, filters: { lifecyclestage: ['salesqualifiedlead'] } },
    });
    expect((await sync({ mode: 'full' })).result.counts['contacts']).toMatchObject({ read: 2, skipped: 2 });
  });

  it('merges what was merged in the CRM, and never reads an erased person again', async () => {
    fillHubspot();
    await connect({ objects: ['contacts'] });
    await sync();
    stage.hubspot.records['contacts']!.delete('502');
    stage.hubspot.put('contacts', '501', { hs_merged_object_ids: '502', firstname: 'Ada' }, new Date().toISOString());
    await sync();
    const ada = await account(client, 'external:hubspot:501');
    const other = await account(client, 'external:hubspot:502');
    const { body: open } = await client.get<{ proposals: object[] }>('/v2/entities/proposals');
    expect(other.entity_id === ada.entity_id || open.proposals.length === 1).toBe(true);
    expect((await client.post(`/v2/people/${ada.entity_id}/erase`, {})).status).toBeLessThan(300);
    // The sync learns of the erasure from the changes, which show it once every older transaction has ended.
    await settleCommits(stage.hub);
    stage.hubspot.put('contacts', '501', { jobtitle: 'CEO' }, new Date().toISOString());
    expect((await sync()).result.counts['contacts']).toMatchObject({ skipped: 1, created: 0, updated: 0 });
    expect((await client.get('/v2/accounts/external:hubspot:501')).status).toBe(404);
  });

  it('notes what was deleted in the CRM, keeps its facts, and reads what was restored', async () => {
    fillHubspot();
    await connect();
    await sync();
    stage.hubspot.deleteContact('501');
    expect((await sync()).result.counts['contacts']).toMatchObject({ deleted: 0 });
    expect((await sync({ mode: 'full' })).result.counts['contacts']).toMatchObject({ read: 1, deleted: 1 });
    const readState = async () =>
      (await client.get<{ state: string }>('/v2/plugins/crm/records/contacts/501')).body.state;
    expect(await readState()).toBe('deleted');
    expect((await claimsOf('ada@acme-crm.example'))['title']!.value).toBe('CFO');
    stage.hubspot.restoreContact('501');
    await sync();
    expect(await readState()).toBe('synced');
  });

  it('is refused after the connection was turned to another CRM', async () => {
    await connect();
    await sync();
    const pipedrive = await FakePipedrive.start();
    expect((await connectCrm(client, pipedrive)).status).toBe(200);
    pipedrive.asked.length = 0;
    expect(await sync()).toMatchObject({ status: 'failed', error: expect.stringContaining('disconnect it') });
    expect(pipedrive.asked).toEqual([]);
    expect((await client.delete('/v2/workspace/integrations/crm')).status).toBeLessThan(300);
    expect((await connectCrm(client, pipedrive)).status).toBe(201);
    expect(await sync()).toMatchObject({ status: 'finished' });
    await pipedrive.close();
  });

  it('goes on after limits and faults, reports refused records, and says which field is missing', async () => {
    fillHubspot();
    stage.hubspot.put('contacts', '503', { firstname: 'Nobody', email: 'no address' }, MARCH);
    await connect({ field_map: { shoe_size: 'shoesize' } });
    stage.hubspot.faults.push({ status: 503, body: {} }, { status: 429, body: { policyName: 'SECONDLY' } });
    const run = await sync();
    expect(run).toMatchObject({ status: 'finished', reported: 1 });
    expect(run.result.counts['contacts']).toMatchObject({ read: 3, created: 2, failed: 1 });
    expect((await client.get('/v2/plugins/crm/records/contacts/503')).body).toMatchObject({ state: 'failed' });
    const { body } = await client.get<{ missing_fields: string[] }>('/v2/plugins/crm/status');
    expect(body.missing_fields).toContain('contacts.shoesize');
    stage.hubspot.faults.push({ status: 401, body: {} });
    expect(await sync()).toMatchObject({ status: 'failed', error: expect.stringContaining('connect again') });
  });
});
