import { eraseWholly } from '../../support/graph/erasure-calls.js';
import { account, type ErrorBody, record, state } from '../../support/graph/graph-calls.js';
import { type Client, clientOf, startTestHub, type TestHub } from '../../support/hub.js';

const PATH = '/v2/workspace/sample-data';
const MARA = 'mara.lindqvist@brightloom.example';

interface Listed {
  readonly people: { name: string }[];
  readonly companies: { name: string }[];
  readonly leads: object[];
  readonly notes: object[];
  readonly items: { kind: string }[];
  readonly count: number;
}

let hub: TestHub;
let client: Client;
beforeAll(async () => {
  hub = await startTestHub();
});
beforeEach(async () => {
  client = await hub.workspace();
});
afterAll(() => hub?.end());

const list = async (path: string) => (await client.get<Listed>(path)).body;

it('fills a workspace with people, companies, notes, leads and work to do', async () => {
  expect((await client.get(PATH)).body).toEqual({ is_loaded: false, loaded_at: null });
  const { status, body } = await client.post(PATH, {});
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { is_loaded: true, loaded_at: expect.any(String), people: 10, companies: 3, notes: 2 },
  });
  expect((await list('/v2/people')).people).toHaveLength(10);
  expect((await list('/v2/companies')).companies.map(({ name }) => name).toSorted()).toEqual([
    'Brightloom',
    'Heliodata',
    'Northgate Freight',
  ]);
  expect((await list('/v2/leads')).leads).toHaveLength(9);
  expect((await list('/v2/notes')).notes).toHaveLength(2);
});

it('has what each page is for', async () => {
  await client.post(PATH, {});
  const { items } = await list('/v2/attention?limit=100');
  expect(items.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['unanswered_reply', 'going_dark', 'commitment_due', 'contested_claim', 'callback_due']),
  );
  const { claims } = await account(client, MARA);
  expect(claims['title']).toMatchObject({ epistemic_class: 'contested' });
  expect(claims['phone']).toMatchObject({ freshness: 'aging' });
  const { claims: moved } = await account(client, 'sanne.visser@northgate.example');
  expect(moved['title']).toMatchObject({ freshness: 'suspect' });
  const { claims: bounced } = await account(client, 'pieter.devries@northgate.example');
  expect(bounced['email_status']).toMatchObject({ value: 'bounced' });
  const proposals = (await client.get<{ proposals: object[] }>('/v2/entities/proposals')).body.proposals;
  expect(proposals.length).toBeGreaterThan(0);
});

it('adds nothing when it is loaded again', async () => {
  const first = await client.post(PATH, {});
  const second = await client.post(PATH, {});
  expect(second.body).toEqual(first.body);
  expect((await list('/v2/people')).people).toHaveLength(10);
  expect((await list('/v2/leads')).leads).toHaveLength(9);
  expect((await list('/v2/notes')).notes).toHaveLength(2);
});

it('is removed without a trace in the lists, and leaves what others stated', async () => {
  await record(client, 'ada@acme.com', [state('name', 'Ada'), state('title', 'CTO')]);
  await client.post(PATH, {});
  await record(client, MARA, [state('title', 'Chief Revenue Officer', { source: 'crm:own' })]);
  const { status, body } = await client.delete(PATH);
  expect({ status, body }).toMatchObject({ status: 200, body: { is_loaded: false, notes: 2, leads: 9 } });
  expect((await client.get(PATH)).body).toEqual({ is_loaded: false, loaded_at: null });
  const { people } = await list('/v2/people?sort=name');
  expect(people).toHaveLength(2);
  expect(people[0]).toMatchObject({ name: 'Ada', title: 'CTO' });
  expect(people[1]).toMatchObject({ email: MARA, name: null, title: 'Chief Revenue Officer' });
  expect((await list('/v2/companies')).companies.map(({ name }) => name)).not.toContain('Heliodata');
  expect((await list('/v2/leads')).leads).toEqual([]);
  expect((await list('/v2/notes')).notes).toEqual([]);
  expect((await list('/v2/attention')).items).toEqual([]);
});

it('is loaded again after it was removed', async () => {
  await client.post(PATH, {});
  expect((await client.delete(PATH)).body).toMatchObject({ entities: 13 });
  expect((await list('/v2/people')).people).toEqual([]);
  expect((await list('/v2/companies')).companies).toEqual([]);
  expect((await client.delete(PATH)).body).toMatchObject({ observations: 0, entities: 0 });
  await client.post(PATH, {});
  expect((await list('/v2/people')).people).toHaveLength(10);
  const { claims } = await account(client, MARA);
  expect(claims['title']).toMatchObject({ epistemic_class: 'contested' });
});

it('is removed and loaded again without a person of it who was erased', async () => {
  await client.post(PATH, {});
  await eraseWholly(hub, client, MARA);
  expect((await client.delete(PATH)).status).toBe(200);
  expect((await list('/v2/people')).people).toEqual([]);
  expect((await client.get(PATH)).body).toMatchObject({ is_loaded: false });
  const { status, body } = await client.post(PATH, {});
  expect({ status, body }).toMatchObject({ status: 200, body: { is_loaded: true } });
  expect((await list('/v2/people')).people.map(({ name }) => name)).not.toContain('Mara Lindqvist');
});

it('is for those who may change settings', async () => {
  const { body } = await client.post<{ key: string }>('/v2/api-keys', { name: 'agent', scopes: ['read', 'write'] });
  const answer = await clientOf(hub.url, body.key).post<ErrorBody>(PATH, {});
  expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 403, error: 'forbidden_scope' });
});
