import { account } from '../../support/graph/graph-calls.js';
import type { Client } from '../../support/hub.js';
import { settleCommits } from '../../support/database/commit-order.js';
import { awaitSync, connectCrm, runSync, setUpCrm } from './crm-client.ts';

const MARCH = '2026-03-01T09:00:00.000Z';

const stage = setUpCrm();
let client: Client;

beforeEach(async () => {
  stage.hubspot.reset();
  client = await stage.hub.workspace();
});

const connect = (settings: object = {}) =>
  connectCrm(client, stage.hubspot, { direction: 'both', objects: ['companies', 'contacts'], ...settings });
const sync = async (body: object = {}) => {
  await settleCommits(stage.hub);
  return runSync(client, body);
};
const correct = (focus: string, property: string, value: unknown) =>
  client.post('/v2/observations', {
    focus,
    observations: [{ kind: 'state', property, value, source: 'user', method: 'correction' }],
  });
const contactOf = (id: string) => stage.hubspot.records['contacts']!.get(id)!.properties;
const listWrites = () => stage.hubspot.asked.filter(({ path }) => /batch\/(?:update|upsert)$/.test(path));
const titleOf = async (focus: string) =>
  ((await account(client, focus)).claims as Record<string, { value: unknown; sources: { source: string }[] }>)['title'];

function fillContacts(count: number): void {
  for (let n = 0; n < count; n++) {
    const email = `p${n}@push-crm.example`;
    stage.hubspot.put(
      'contacts',
      String(500 + n),
      { email, firstname: `Ann ${n}`, jobtitle: 'CFO', city: null },
      MARCH,
    );
  }
}

describe('a sync both ways', () => {
  it('writes a value that the CRM stated once, after another one was written to it', async () => {
    fillContacts(1);
    await connect();
    await sync();
    for (const title of ['COO', 'CFO']) {
      await correct('p0@push-crm.example', 'title', title);
      await sync();
      expect(contactOf('500')).toMatchObject({ jobtitle: title });
    }
  });

  it('writes back what a change in the CRM could not overrule', async () => {
    fillContacts(1);
    await connect();
    await sync();
    await correct('p0@push-crm.example', 'title', 'COO');
    await sync();
    stage.hubspot.put('contacts', '500', { jobtitle: 'Intern', city: 'Berlin' }, '2026-04-01T09:00:00.000Z');
    await sync({ mode: 'full' });
    expect(contactOf('500')).toMatchObject({ jobtitle: 'COO', city: 'Berlin' });
    expect((await titleOf('p0@push-crm.example'))!.value).toBe('COO');
  });

  it('takes a newer change of the CRM over, and writes nothing', async () => {
    fillContacts(1);
    await connect();
    await sync();
    stage.hubspot.put('contacts', '500', { jobtitle: 'CEO' }, new Date().toISOString());
    expect((await sync()).result.push).toMatchObject({ updated: 0 });
    expect((await titleOf('p0@push-crm.example'))!.value).toBe('CEO');
    expect(listWrites()).toEqual([]);
  });

  it('leaves the values of the CRM that the team works with there alone', async () => {
    stage.hubspot.put('contacts', '500', { email: 'p0@push-crm.example', lifecyclestage: 'customer' }, MARCH);
    await connect();
    await sync();
    await correct('p0@push-crm.example', 'lifecycle_stage', 'Sales Qualified Lead');
    await sync();
    expect(contactOf('500')).toMatchObject({ lifecyclestage: 'customer' });
  });

  it('reads fields with a direction of their own, and writes confidence and freshness where fields are set aside', async () => {
    stage.hubspot.fields['contacts'] = {
      ...stage.hubspot.fields['contacts'],
      title_confidence: {},
      title_freshness: {},
    };
    fillContacts(1);
    const title = { field: 'jobtitle', confidence_field: 'title_confidence', freshness_field: 'title_freshness' };
    await connect({ field_map: { title, city: { field: 'city', direction: 'pull' } } });
    await sync();
    await correct('p0@push-crm.example', 'title', 'COO');
    await correct('p0@push-crm.example', 'city', 'Berlin');
    await sync();
    const confidence = expect.stringMatching(/^(?:0\.\d\d|1\.00)$/);
    expect(contactOf('500')).toMatchObject({
      jobtitle: 'COO',
      city: null,
      title_confidence: confidence,
      title_freshness: 'fresh',
    });
  });

  it('shows in a dry run what it would write, with the value before and the reason, and writes nothing', async () => {
    fillContacts(1);
    await connect();
    await sync();
    await correct('p0@push-crm.example', 'title', 'COO');
    const { result } = await sync({ dry_run: true });
    expect(result.push).toMatchObject({ compared: 1, updated: 1 });
    const change = { field: 'jobtitle', property: 'title', before: 'CFO', after: 'COO', reason: 'claim_wins' };
    expect(result.push_samples).toMatchObject([
      { object: 'contacts', id: '500', outcome: 'updated', changes: [change] },
    ]);
    expect(listWrites()).toEqual([]);
  });

  it('writes what arrived without a reply only once, and does not read it as news', async () => {
    fillContacts(1);
    await connect();
    await sync();
    await correct('p0@push-crm.example', 'title', 'COO');
    stage.hubspot.lostReplies = 4;
    await sync();
    await sync();
    expect(contactOf('500')).toMatchObject({ jobtitle: 'COO' });
    expect((await titleOf('p0@push-crm.example'))!.sources.map(({ source }) => source)).toEqual(['user']);
  });

  it('reports a record that the CRM refuses, and writes the others', async () => {
    fillContacts(3);
    await connect();
    await sync();
    stage.hubspot.refused.set('501', 'The record is locked by a workflow.');
    for (const n of [0, 1, 2]) await correct(`p${n}@push-crm.example`, 'title', 'COO');
    const run = await sync();
    expect(run).toMatchObject({ status: 'finished', reported: 1, result: { push: { updated: 2, failed: 1 } } });
    const { body } = await client.get('/v2/plugins/crm/records/contacts/501');
    expect(body).toMatchObject({ state: 'failed', error: 'The record is locked by a workflow.' });
  });

  it('lists the values that travelled, the newest first', async () => {
    fillContacts(1);
    await connect();
    await sync();
    await correct('p0@push-crm.example', 'title', 'COO');
    stage.hubspot.put('contacts', '500', { city: 'Berlin' }, new Date().toISOString());
    await sync();
    const { body } = await client.get<{ changes: object[]; next_cursor: string | null }>(
      '/v2/plugins/crm/changes?limit=1',
    );
    expect(body.changes).toMatchObject([{ direction: 'push', before: 'CFO', after: 'COO', cause: 'claim_wins' }]);
    const rest = await client.get(`/v2/plugins/crm/changes?cursor=${encodeURIComponent(body.next_cursor!)}`);
    expect(rest.body).toMatchObject({ changes: [{ direction: 'pull', after: 'Berlin' }], next_cursor: null });
    expect(await client.get('/v2/plugins/crm/changes?limit=0')).toMatchObject({
      status: 400,
      body: { details: [{ field: 'limit' }] },
    });
  });

  it('syncs one record alone', async () => {
    fillContacts(2);
    await connect();
    await sync();
    for (const n of [0, 1]) await correct(`p${n}@push-crm.example`, 'title', 'COO');
    await settleCommits(stage.hub);
    const run = await runSync(client, undefined, 'records/contacts/500/sync');
    expect(run.result).toMatchObject({ counts: { contacts: { read: 1 } }, push: { compared: 1, updated: 1 } });
    expect([contactOf('500')['jobtitle'], contactOf('501')['jobtitle']]).toEqual(['COO', 'CFO']);
  });
});

describe('the rule for fields with different values', () => {
  const differ = async (wins: string) => {
    fillContacts(1);
    await connect({ wins });
    await sync();
    await correct('p0@push-crm.example', 'title', 'COO');
    await correct('p0@push-crm.example', 'city', 'Berlin');
    await sync();
    return [contactOf('500')['jobtitle'], contactOf('500')['city']];
  };

  it.each([
    ['claims', 'COO', 'Berlin'],
    ['newest', 'COO', 'Berlin'],
    ['blanks', 'CFO', 'Berlin'],
    ['crm', 'CFO', null],
    ['review', 'CFO', 'Berlin'],
  ])('%s makes the title %s and the city %s', async (wins, title, city) => {
    expect(await differ(wins)).toEqual([title, city]);
  });

  it('review waits for a decision, which holds for these two values', async () => {
    await differ('review');
    const { body } = await client.get<{ reviews: object[] }>('/v2/plugins/crm/reviews');
    expect((await client.get('/v2/plugins/crm/status')).body).toMatchObject({ reviews: 1 });
    expect(body.reviews).toMatchObject([
      { object: 'contacts', id: '500', field: 'jobtitle', ours: 'COO', theirs: 'CFO' },
    ]);
    const decide = (decision: string) => client.post('/v2/plugins/crm/reviews/contacts/500/jobtitle', { decision });
    expect(await decide('write')).toMatchObject({ status: 200, body: { ours: 'COO', theirs: 'CFO' } });
    expect(await decide('write')).toMatchObject({ status: 409, body: { error: 'nothing_waits' } });
    await sync();
    expect(contactOf('500')['jobtitle']).toBe('COO');
    await correct('p0@push-crm.example', 'title', 'CTO');
    await sync();
    expect(contactOf('500')['jobtitle']).toBe('COO');
    await decide('keep');
    await sync();
    expect((await client.get('/v2/plugins/crm/reviews')).body).toMatchObject({ reviews: [] });
    expect((await client.get('/v2/plugins/crm/status')).body).toMatchObject({ reviews: 0 });
    expect(contactOf('500')['jobtitle']).toBe('COO');
  });
});

describe('a mass change', () => {
  it('waits for an approval, and is written after it', async () => {
    fillContacts(30);
    await connect();
    await sync();
    for (let n = 0; n < 15; n++) await correct(`p${n}@push-crm.example`, 'title', 'COO');
    expect((await sync()).result).toMatchObject({ waits_for_approval: true });
    expect(listWrites()).toEqual([]);
    const { body } = await client.get('/v2/plugins/crm/status');
    expect(body).toMatchObject({ mass_change: { records: 15, limit: 10 } });
    const approved = await client.post<{ run: string }>('/v2/plugins/crm/approve', { decision: 'apply' });
    expect(approved).toMatchObject({ status: 200, body: { records: 15 } });
    expect((await awaitSync(client, approved.body.run)).result).toMatchObject({ push: { updated: 15 } });
    expect(contactOf('514')['jobtitle']).toBe('COO');
    expect((await client.get('/v2/plugins/crm/status')).body).toMatchObject({ mass_change: null });
  });

  it('that is discarded leaves the CRM as it is', async () => {
    fillContacts(15);
    await connect();
    await sync();
    for (let n = 0; n < 15; n++) await correct(`p${n}@push-crm.example`, 'title', 'COO');
    await sync();
    expect((await client.post('/v2/plugins/crm/approve', { decision: 'discard' })).body).toMatchObject({ run: null });
    expect((await sync()).result).toMatchObject({ waits_for_approval: false, push: { updated: 0 } });
    expect(listWrites()).toEqual([]);
    expect(await client.post('/v2/plugins/crm/approve', { decision: 'apply' })).toMatchObject({ status: 409 });
    expect(await client.post('/v2/plugins/crm/approve', undefined)).toMatchObject({
      status: 400,
      body: { details: [{ field: 'decision' }] },
    });
  });
});

describe('a person without a contact in the CRM', () => {
  const meet = (focus: string) =>
    client.post('/v2/observations', {
      focus,
      observations: [{ kind: 'event', property: 'interaction.meeting_scheduled', value: { description: 'Demo' } }],
    });

  it('becomes a contact after a meeting, once, with name and claims', async () => {
    await connect({ create_in_crm: true });
    await correct('new@push-crm.example', 'name', 'Nora New');
    await correct('new@push-crm.example', 'title', 'CTO');
    await correct('other@push-crm.example', 'title', 'CTO');
    await sync();
    expect(stage.hubspot.records['contacts']!.size).toBe(0);
    await meet('new@push-crm.example');
    stage.hubspot.lostReplies = 1;
    expect((await sync()).result.push).toMatchObject({ created: 1 });
    const created = [...stage.hubspot.records['contacts']!.values()].map(({ properties }) => properties);
    expect(created).toMatchObject([
      { email: 'new@push-crm.example', firstname: 'Nora', lastname: 'New', jobtitle: 'CTO' },
    ]);
    const again = await sync();
    expect(again.result).toMatchObject({ counts: { contacts: { created: 0, updated: 0 } }, push: { created: 0 } });
  });

  it('becomes a contact only with the Fit that the settings want, once it was scored', async () => {
    const fit = [{ property: 'title', op: 'contains_any', value: ['CTO'] }];
    await client.post('/v2/workspace/facts', { section: 'icp', content: { fit } });
    await connect({ create_in_crm: true, create_require_icp_fit: true, create_icp_threshold: 60 });
    for (const [name, title] of [
      ['fit', 'CTO'],
      ['other', 'Gardener'],
      ['unscored', 'CTO'],
    ] as const) {
      await correct(`${name}@push-crm.example`, 'title', title);
      await meet(`${name}@push-crm.example`);
    }
    expect((await sync()).result.push).toMatchObject({ created: 0 });
    for (const name of ['fit', 'other']) {
      const { status } = await client.post('/v2/score', { identifier: `${name}@push-crm.example` });
      expect(status).toBe(200);
    }
    expect((await sync()).result.push).toMatchObject({ created: 1 });
    const emails = [...stage.hubspot.records['contacts']!.values()].map(({ properties }) => properties['email']);
    expect(emails).toEqual(['fit@push-crm.example']);
  });

  it('becomes a contact that is never changed, where contacts are only created', async () => {
    fillContacts(1);
    await connect({ create_in_crm: true, update_in_crm: ['companies'] });
    await sync();
    await correct('p0@push-crm.example', 'title', 'COO');
    await correct('new@push-crm.example', 'title', 'CTO');
    await meet('new@push-crm.example');
    expect((await sync()).result.push).toMatchObject({ created: 1, updated: 0 });
    await correct('new@push-crm.example', 'title', 'CEO');
    expect((await sync()).result.push).toMatchObject({ created: 0, updated: 0 });
    const titles = [...stage.hubspot.records['contacts']!.values()].map(({ properties }) => properties['jobtitle']);
    expect(titles.toSorted()).toEqual(['CFO', 'CTO']);
  });

  it('is linked to the contact with the same address instead, if there is one', async () => {
    stage.hubspot.put('contacts', '700', { email: 'new@push-crm.example', jobtitle: null, phone: '+4930123' }, MARCH);
    await connect({ direction: 'push', create_in_crm: true });
    await correct('new@push-crm.example', 'title', 'CTO');
    expect((await sync()).result.push).toMatchObject({ created: 0, updated: 1 });
    expect(contactOf('700')['jobtitle']).toBe('CTO');
    expect(stage.hubspot.records['contacts']!.size).toBe(1);
    await client.patch('/v2/workspace/integrations/crm', { settings: { direction: 'both' } });
    stage.hubspot.put('contacts', '700', { city: 'Berlin' }, MARCH);
    await sync({ mode: 'full' });
    const { claims } = await account(client, 'new@push-crm.example');
    expect(claims).toMatchObject({
      city: { value: 'Berlin' },
      phone: { value: expect.any(String) },
      title: { sources: [{ source: 'user' }] },
    });
  });
});
