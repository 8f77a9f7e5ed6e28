import { MAX_VIEWS, type PresentedView } from '#graph/views/views.service.js';
import { record, state } from '../../support/graph/graph-calls.js';
import { type Answer, type Client, clientOf, startTestHub, type TestHub } from '../../support/hub.js';

const VIEWS = '/v2/workspace/views';
const FRESH_VPS = { filter: '{"title":{"$contains":"vp"}}', sort: 'name', fields: 'name,title' };

let hub: TestHub;
let acme: Client;
beforeAll(async () => {
  hub = await startTestHub();
});
beforeEach(async () => {
  acme = await hub.workspace();
  await record(acme, 'ada@acme.com', [state('title', 'VP Sales')]);
  await record(acme, 'bob@acme.com', [state('title', 'Buyer')]);
});
afterAll(() => hub.end());

/** Another key of the workspace, as a colleague has one. */
async function colleague(scopes: readonly string[]): Promise<Client> {
  const { body } = await acme.post<{ key: string }>('/v2/api-keys', { name: 'Colleague', scopes });
  return clientOf(hub.url, body.key, acme.workspaceId);
}

const save = (client: Client, view: object = {}): Promise<Answer<PresentedView>> =>
  client.post<PresentedView>(VIEWS, { resource: 'people', name: 'VPs', query: FRESH_VPS, ...view });
const namesSeenBy = async (client: Client, query = ''): Promise<string[]> =>
  (await client.get<{ views: PresentedView[] }>(VIEWS + query)).body.views.map(({ name }) => name);

describe('POST /v2/workspace/views', () => {
  it('saves parameters that its list takes as they are', async () => {
    const { status, body } = await save(acme);
    expect(status).toBe(201);
    expect(body).toMatchObject({ resource: 'people', name: 'VPs', query: FRESH_VPS, shared: false, can_change: true });
    const rows = await acme.get<{ people: object[] }>(`/v2/people?${new URLSearchParams(body.query as never)}`);
    expect(rows.body.people).toEqual([{ id: expect.any(String), name: null, title: 'VP Sales' }]);
  });

  it.each([
    ['filter', { filter: '{' }],
    ['filter.title.$near', { filter: '{"title":{"$near":"vp"}}' }],
    ['fields', { fields: 'name;title' }],
    ['query.list_id', { list_id: '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17' }],
    ['query.limit', { limit: '5' }],
    ['query.search', { search: ' ' }],
  ])('refuses a query with an invalid %s, as the list does, and names it', async (field, query) => {
    const { status, body } = await acme.post<{ details: { field: string }[] }>(VIEWS, {
      resource: 'people',
      name: 'VPs',
      query,
    });
    expect([status, body.details.map(each => each.field)]).toEqual([400, [field]]);
    expect(await namesSeenBy(acme)).toEqual([]);
  });

  it('refuses a property that nobody has stated, and an unknown order', async () => {
    const unknown = await save(acme, { query: { filter: '{"titel":"VP"}' } });
    expect(unknown).toMatchObject({ status: 400, body: { error: 'unknown_query_param' } });
    expect(await save(acme, { query: { sort: 'titel' } })).toMatchObject({
      status: 400,
      body: { error: 'unknown_sort' },
    });
  });

  it('gives a name once, however many ask for it at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => save(acme)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400, 400]);
    expect(answers.find(({ status }) => status === 400)!.body).toMatchObject({ details: [{ field: 'name' }] });
    expect((await save(acme, { resource: 'companies', query: { sort: 'name' } })).status).toBe(201);
    expect((await save(await colleague(['read', 'write']))).status).toBe(201);
  });

  it('saves a view once for an idempotency key', async () => {
    const body = { resource: 'people', name: 'VPs', query: FRESH_VPS };
    const [first, second] = [
      await acme.post<PresentedView>(VIEWS, body, { 'idempotency-key': 'once' }),
      await acme.post<PresentedView>(VIEWS, body, { 'idempotency-key': 'once' }),
    ];
    expect(second).toMatchObject({ status: 201, body: first.body });
  });

  it('refuses more views than a workspace may have', async () => {
    await hub.database.pool.query(
      `INSERT INTO saved_views (workspace_id, id, resource, name, query, is_shared, owner_kind, owner_id)
       SELECT $1, gen_random_uuid(), 'people', i, '{}', true, 'key', 'x' FROM generate_series(1, $2) AS i`,
      [acme.workspaceId, MAX_VIEWS],
    );
    expect(await save(acme)).toMatchObject({ status: 403, body: { error: 'quota_exceeded', limit: MAX_VIEWS } });
  });

  it('is for callers who may write', async () => {
    expect((await save(await colleague(['read']))).status).toBe(403);
  });
});

describe('GET /v2/workspace/views', () => {
  it('lists shared views and those of the caller by name', async () => {
    const bob = await colleague(['read', 'write']);
    await save(acme, { name: 'B, private' });
    await save(acme, { name: 'C', shared: true });
    await save(bob, { name: 'A, of Bob' });
    await save(bob, { name: 'D', shared: true, resource: 'leads', query: { sort: 'created_asc' } });
    expect(await namesSeenBy(acme)).toEqual(['B, private', 'C', 'D']);
    expect(await namesSeenBy(bob)).toEqual(['A, of Bob', 'C', 'D']);
    expect(await namesSeenBy(bob, '?resource=leads')).toEqual(['D']);
    expect((await acme.get(`${VIEWS}?resource=deals`)).status).toBe(400);
    expect(await namesSeenBy(await hub.workspace())).toEqual([]);
  });
});

describe('PATCH and DELETE /v2/workspace/views/:id', () => {
  it('changes what is sent and keeps the rest', async () => {
    const { id } = (await save(acme)).body;
    const { status, body } = await acme.patch<PresentedView>(`${VIEWS}/${id}`, { name: 'All VPs', shared: true });
    expect([status, body]).toMatchObject([200, { id, name: 'All VPs', shared: true, query: FRESH_VPS }]);
    const changed = await acme.patch<PresentedView>(`${VIEWS}/${id}`, { query: { search: 'vp' } });
    expect(changed.body).toMatchObject({ name: 'All VPs', query: { search: 'vp' } });
    expect(changed.body.query).toEqual({ search: 'vp' });
    expect((await acme.patch(`${VIEWS}/${id}`, {})).status).toBe(400);
    expect((await acme.patch(`${VIEWS}/${id}`, { query: { filter: '[' } })).status).toBe(400);
  });

  it('renames a view whose property nobody states any more', async () => {
    const { observation_ids } = await record(acme, 'eve@acme.com', [state('favourite_tea', 'Assam')]);
    const { id } = (await save(acme, { query: { filter: '{"favourite_tea":"Assam"}' } })).body;
    await acme.post(`/v2/observations/${observation_ids[0]}/retract`, {});
    expect((await acme.patch(`${VIEWS}/${id}`, { query: { filter: '{"favourite_tea":"Assam"}' } })).status).toBe(400);
    expect(await acme.patch(`${VIEWS}/${id}`, { name: 'Tea' })).toMatchObject({ status: 200, body: { name: 'Tea' } });
  });

  it('is for the owner, and for admins if the view is shared', async () => {
    const [bob, eve] = [await colleague(['read', 'write']), await colleague(['read', 'write'])];
    const { id } = (await save(bob)).body;
    for (const client of [eve, acme]) {
      expect((await client.patch(`${VIEWS}/${id}`, { name: 'Mine' })).status).toBe(404);
      expect((await client.delete(`${VIEWS}/${id}`)).status).toBe(404);
    }
    await bob.patch(`${VIEWS}/${id}`, { shared: true });
    expect(await eve.patch(`${VIEWS}/${id}`, { name: 'Mine' })).toMatchObject({
      status: 403,
      body: { error: 'forbidden_scope' },
    });
    expect((await eve.delete(`${VIEWS}/${id}`)).status).toBe(403);
    expect((await acme.patch(`${VIEWS}/${id}`, { name: 'Ours' })).status).toBe(200);
    expect(await acme.delete(`${VIEWS}/${id}`)).toMatchObject({ status: 200, body: { id, deleted: true } });
    expect((await bob.delete(`${VIEWS}/${id}`)).status).toBe(404);
    expect((await bob.delete(`${VIEWS}/none`)).status).toBe(404);
  });
});
