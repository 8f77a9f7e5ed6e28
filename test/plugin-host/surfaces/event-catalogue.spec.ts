import { fileURLToPath } from 'node:url';
import { enqueueJobs } from '#plugin-host/jobs/job.emitter.js';
import { JobStore } from '#plugin-host/jobs/job.store.js';
import { event, record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { listenTo } from '../../support/database/statements.js';
import { until } from '../../support/until.js';

const PLUGINS_DIR = fileURLToPath(new URL('../../fixtures/plugins/listener', import.meta.url));

type Heard = { readonly type: string; readonly payload: Readonly<Record<string, unknown>> };

let hub: TestHub;
let client: Client;

beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR });
  client = await hub.workspace();
});
afterAll(() => hub?.end());

const received = async (type: string) =>
  (await client.get<Heard[]>('/v2/plugins/listener/heard')).body
    .filter(each => each.type === type)
    .map(({ payload }) => payload);
const delivered = (type: string, count: number) =>
  until(`${count} of ${type} are told`, async () => {
    const all = await received(type);
    return all.length === count && all;
  });
const upsert = (people: object[], options = {}) =>
  client.post<object[]>('/v2/plugins/listener/people', { people, options });

describe('every event of the catalogue', () => {
  it('is delivered with its documented payload when an observation is recorded', async () => {
    const { entity_id } = await record(client, 'ada@acme.com', [state('name', 'Ada Byron'), event('call_held')]);
    expect(await delivered('contact.created', 1)).toEqual([{ entity_id, email: 'ada@acme.com', name: 'Ada Byron' }]);
    expect(await delivered('claims.recomputed', 1)).toEqual([{ entity_id, properties: ['name'] }]);
    expect(await delivered('observation.recorded', 1)).toEqual([
      {
        entity_id,
        entity_created: true,
        observation_ids: expect.any(Array),
        properties: expect.arrayContaining(['interaction.call_held', 'name']),
        claims_recomputed: ['name'],
      },
    ]);
    await client.post('/v2/notes', { focus: 'ada@acme.com', title: 'Call', content: 'She wants a quote.' });
    expect(await delivered('note.saved', 1)).toEqual([
      { note_id: expect.any(String), entity_id, type: 'note', title: 'Call' },
    ]);
    await client.post('/v2/score', { focus: 'ada@acme.com' });
    expect(Object.keys((await delivered('lead.scored', 1))[0]!).toSorted()).toEqual(
      ['entity_id', 'icp_model', 'icp_score', 'play', 'play_rule', 'priority'].toSorted(),
    );
  });

  it('is delivered when a refresh is requested, once for an Idempotency-Key', async () => {
    const { entity_id } = await record(client, 'cy@acme.com', [state('title', 'CTO')]);
    const input = { focus: 'cy@acme.com', property: 'job_title', refresh: true };
    const verify = async () =>
      (await client.post<{ job_id: string }>('/v2/verify', input, { 'idempotency-key': 'refresh' })).body.job_id;
    const job_id = await verify();
    expect(await verify()).toBe(job_id);
    expect(await delivered('fact.refresh_requested', 1)).toEqual([{ job_id, entity_id, property: 'title' }]);
  });

  it('is delivered for each person of an imported list, and for no one else', async () => {
    const rows = [{ email: 'bob@acme.com', name: 'Bob' }, { email: 'eve@acme.com' }, { name: 'Nobody' }];
    const { body } = await client.post<{ list_id: string }>('/v2/lead-lists/attach', {
      name: 'Fair',
      source: 'csv',
      rows,
    });
    const all = await delivered('contact.imported', 2);
    const import_id = body.list_id;
    expect(all).toContainEqual({ entity_id: expect.any(String), email: 'bob@acme.com', name: 'Bob', import_id });
    expect(all).toContainEqual({ entity_id: expect.any(String), email: 'eve@acme.com', name: null, import_id });
  });

  it('is delivered when connections are made and removed', async () => {
    await client.post('/v2/workspace/integrations', { provider: 'parted', credentials: { token: 't' } });
    const [made] = await delivered('connection.connected', 1);
    expect(made).toEqual({ connection_id: expect.any(String), plugin: 'parted' });
    await client.delete('/v2/workspace/integrations/parted');
    expect(await delivered('connection.removed', 1)).toEqual([made]);
  });
});

describe('people.upsert', () => {
  it('answers each row, states what it says, and tells of those that came in', async () => {
    const before = (await received('contact.imported')).length;
    const people = [
      { email: 'ada@acme.com', title: 'CFO', seniority: '' },
      { email: 'new@acme.com', linkedin_url: 'https://www.linkedin.com/in/new', company: 'Acme' },
      { name: 'Nobody' },
      { email: 'no address' },
      { domain: 'acme.com', name: 'A company' },
      { email: 'ada@acme.com', linkedin_url: 'https://www.linkedin.com/in/new' },
    ];
    const { body } = await upsert(people, { importId: 'i-1', observedAt: '2026-01-05T10:00:00Z' });
    expect(body).toMatchObject([
      { entity_id: expect.any(String), created: false },
      { entity_id: expect.any(String), created: true },
      { error: 'email, linkedin_url, external_id or phone is needed', field: 'email' },
      { error: expect.any(String), field: 'email' },
      { error: expect.any(String), field: 'email' },
      { entity_id: expect.any(String), created: false },
    ]);
    await delivered('contact.imported', before + 3);
    const { body: account } = await client.get<{ claims: Record<string, object> }>('/v2/accounts/ada@acme.com');
    expect(account.claims).toMatchObject({
      title: { value: 'CFO', valid_from: expect.stringMatching(/^2026-01-05T10:00/) },
    });
    expect(account.claims).not.toHaveProperty('seniority');
  });

  it('writes two hundred people with as many statements as twenty', async () => {
    const rows = (count: number, word: string) =>
      Array.from({ length: count }, (_, n) => ({ email: `${word}${n}@many.example`, title: 'CTO' }));
    const log = listenTo(hub.database.pool);
    const cost = async (count: number, word: string) => {
      log.clear();
      expect((await upsert(rows(count, word))).body).toHaveLength(count);
      const writes = log.of('rapport_app').filter(sent => sent.some(({ sql }) => sql.includes('INTO observations')));
      return writes.flat().length;
    };
    await cost(1, 'warm');
    expect(await cost(200, 'b')).toBeLessThanOrEqual(await cost(20, 'a'));
  });

  it('refuses a time that is none, and too many rows', async () => {
    expect(await upsert([], { observedAt: 'yesterday' })).toMatchObject({ status: 400 });
    const many = Array.from({ length: 1001 }, () => ({ email: 'a@b.co' }));
    expect((await upsert(many)).status).toBe(400);
  });
});

describe('a plugin that takes several events at a time', () => {
  const taken = async () => (await client.get<string[][]>('/v2/plugins/gathering/taken')).body;

  it('hears of each once, and of one that fails nobody else does', async () => {
    const titles = Array.from({ length: 12 }, (_, n) => `gathered ${n}`);
    const save = (title: string) => client.post('/v2/notes', { focus: 'ada@acme.com', title, content: title });
    await Promise.all(titles.map(save));
    const ours = async () => (await taken()).flat().filter(title => title.startsWith('gathered'));
    await until('all are told', async () => (await ours()).length >= titles.length);
    expect((await ours()).toSorted()).toEqual(titles.toSorted());
  });

  it('is left with the one that always fails, and has done the others', async () => {
    const events = ['before', 'poison', 'after'].map(title => ({
      id: title,
      type: 'note.saved',
      payload: { title },
      occurredAt: 1,
    }));
    const job = {
      plugin: 'gathering',
      kind: 'event',
      name: 'note.saved',
      payload: events,
      connectionId: null,
    } as const;
    await hub.database.work.run(client.workspaceId, async tx => enqueueJobs(tx, [job]));
    const store = hub.app.get(JobStore, { strict: false });
    const [dead] = await until('it was given up', async () => {
      const all = await store.listDead('gathering');
      return all.length > 0 && all;
    });
    expect(dead).toMatchObject({ kind: 'event', tries: 1, reason: 'It does me no good.' });
    const { rows } = await hub.database.pool.query('SELECT payload FROM plugin_jobs WHERE id = $1', [dead!.id]);
    expect(rows).toEqual([{ payload: [events[1]] }]);
    expect((await taken()).slice(-2)).toEqual([['before'], ['after']]);
  });
});
