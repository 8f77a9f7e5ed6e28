import { type ErrorBody, event, tryAccount, tryRecord } from '../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';
import { foundIds, saveNote, searchNotes } from '../support/graph/notes.js';
import { type Leaks, MARK, markedTenant } from '../support/graph/two-tenants.js';

let hub: TestHub;
let victim: Client;
let loot: Leaks;

beforeAll(async () => {
  hub = await startTestHub();
  ({ victim, loot } = await markedTenant(hub));
});
afterAll(() => hub?.end());

it.each(['entity id', 'company id', 'observation id', 'workspace id'])(
  'the other’s %s is nobody’s, to read and to write',
  async what => {
    const fresh = await hub.workspace();
    expect((await tryAccount(fresh, loot[what]!)).status).toBe(404);
    expect((await tryRecord(fresh, loot[what]!, [event('call_held')])).status).toBe(404);
  },
);

it('the other’s address names an own, empty entity once it is written about, and nobody before', async () => {
  const fresh = await hub.workspace();
  for (const what of ['e-mail address', 'domain', 'profile', 'name']) {
    const { status, body } = await tryAccount<ErrorBody>(fresh, loot[what]!);
    expect({ status, error: body.error }).toEqual({ status: 404, error: 'entity_not_found' });
  }
  const { body } = await tryRecord(fresh, loot['e-mail address']!, [
    event('call_held', { external_id: loot['external id'] }),
  ]);
  expect(body).toMatchObject({ recorded: 1, duplicates: 0, entity_created: true });
  const account = await tryAccount(fresh, loot['e-mail address']!);
  expect(Object.keys(account.body.claims)).toEqual(['company']);
  expect(account.body.recent_observations.map(o => o.source).toSorted()).toEqual(['agent', 'system:email_domain']);
});

it('the other’s Idempotency-Key is free, even for the very request that it was used for', async () => {
  const fresh = await hub.workspace();
  const headers = { 'idempotency-key': loot['idempotency key']! };
  const answer = await tryRecord(fresh, loot['e-mail address']!, [event('call_held')], headers);
  expect(answer.body).toMatchObject({ recorded: 1, entity_created: true });
  expect(answer.headers.get('idempotent-replayed')).toBeNull();
  const again = await tryRecord(victim, loot['e-mail address']!, [event('call_held')], headers);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.body.entity_id).toBe(loot['entity id']);
});

it('the other’s section is empty, and its facts take the place of nothing', async () => {
  const fresh = await hub.workspace();
  const section = loot['section']!;
  expect((await fresh.get<{ sections: object }>(`/v2/workspace/facts?section=${section}`)).body.sections).toEqual({});
  const first = await fresh.post<{ version: number }>('/v2/workspace/facts', { section, content: 'mine' });
  expect({ status: first.status, version: first.body.version }).toEqual({ status: 201, version: 1 });
  const taken = { section, content: 'x', supersedes: loot['fact id'] };
  expect((await fresh.post('/v2/workspace/facts', taken)).status).toBe(409);
});

it('the other’s notes are neither read nor found, and its external id is free', async () => {
  const fresh = await hub.workspace();
  expect((await fresh.get(`/v2/notes/${loot['note id']}`)).status).toBe(404);
  expect((await fresh.get('/v2/notes')).body).toMatchObject({ notes: [] });
  const own = await saveNote(fresh, 'own@acme.com', 'mine');
  for (const question of [loot['note word']!, `${MARK}secrte`, `${MARK}heading`, `${MARK}note`]) {
    expect(await searchNotes(fresh, question)).toMatchObject({ count: 0 });
    expect(await searchNotes(fresh, question, { focus: loot['entity id'] })).toMatchObject({
      count: 0,
      scope: 'workspace',
    });
  }
  const again = await saveNote(fresh, loot['e-mail address']!, 'x', {
    source: `${MARK}notes`,
    external_id: loot['note key'],
  });
  expect(again.duplicate).toBe(false);
  expect(await foundIds(victim, loot['note word']!)).toEqual([loot['note id']]);
  expect(own.id).not.toBe(again.id);
});

it('the other’s leads and lists are nobody’s', async () => {
  const fresh = await hub.workspace();
  for (const id of [loot['lead id']!, loot['list id']!, loot['entity id']!]) {
    expect((await fresh.patch(`/v2/leads/${id}`, { status: 'sent' })).status).toBe(404);
    expect((await fresh.delete(`/v2/lead-lists/${id}`)).status).toBe(404);
    expect((await fresh.post('/v2/leads', { list_id: id, email: 'a@b.com' })).status).toBe(404);
    expect((await fresh.get<{ leads: object[] }>(`/v2/leads?list_id=${id}`)).body.leads).toEqual([]);
    expect((await fresh.patch(`/v2/people/${id}`, { title: 'x' })).status).toBe(404);
    expect((await fresh.get(`/v2/people/${id}`)).status).toBe(404);
  }
  const contact = { list: 'mine', contact_id: loot['entity id'] };
  const { body } = await fresh.post<{ results: { status: string }[] }>('/v2/leads', { ...contact });
  expect(body.results.map(({ status }) => status)).toEqual(['invalid']);
  for (const path of ['people', 'leads'] as const) {
    const page = await fresh.get<Record<string, object[]>>(`/v2/${path}?count=true`);
    expect(page.body).toMatchObject({ [path]: [], count: 0 });
    expect((await fresh.get(`/v2/${path}?cursor=${loot['lead cursor']}`)).status).toBe(path === 'leads' ? 200 : 400);
  }
});
