import { parse } from 'csv-parse/sync';
import { MAX_SETTING_BYTES, recordAct } from '#kernel/audit/audit-log.js';
import { setPlan } from '#kernel/workspaces/workspaces.repository.js';
import type { AuditResponse } from '#graph/audit/audit.service.js';
import { toCsvCell } from '#domain/csv/csv-cell.js';
import type { ErrorBody } from '../../support/graph/graph-calls.js';
import { type Client, clientOf, startTestHub, type TestHub } from '../../support/hub.js';

let hub: TestHub;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub();
});
beforeEach(async () => {
  acme = await hub.workspace();
});
afterAll(() => hub?.end());

const audit = (query = '') => acme.get<AuditResponse & ErrorBody>(`/v2/workspace/audit${query}`);
const actions = async (query = '') => (await audit(query)).body.events.map(({ action }) => action);
const createKey = (body: object = { name: 'Agent', scopes: ['read'] }, headers = {}) =>
  acme.post<{ id: string; key: string }>('/v2/api-keys', body, headers);
const actInTransaction = (action: 'trust.change', after: unknown, fail = false) =>
  hub.database.work.run(acme.workspaceId, async tx => {
    recordAct(tx, { action, objectId: null, after });
    if (fail) throw new Error('rolled back');
  });

it('an entry says who did what to which object, when, from where and with which client', async () => {
  const { body: created, headers } = await createKey(undefined, { 'x-rapport-client': 'console' });
  const [event] = (await audit('?action=api_key.create&actor=key')).body.events;
  const [first] = (await audit('?action=api_key.create&actor=operator')).body.events;
  expect(event).toEqual({
    id: expect.any(String),
    at: expect.stringMatching(/^20\d\d-/),
    actor: { kind: 'key', id: first!.object.id },
    action: 'api_key.create',
    object: { type: 'api_key', id: created.id },
    before: null,
    after: { scopes: ['read'], origin: 'api', expires_at: null },
    address: '127.0.0.1',
    client: 'console',
    request_id: headers.get('x-request-id'),
  });
  expect(first).toMatchObject({ actor: { kind: 'operator', id: 'admin' }, address: null, request_id: null });
});

it('an entry is written with its act, once, and not at all if the act fails or is a dry run', async () => {
  const key = { 'idempotency-key': 'k-1' };
  await createKey(undefined, key);
  await createKey(undefined, key);
  expect(await actions('?actor=key')).toEqual(['api_key.create']);
  await expect(actInTransaction('trust.change', {}, true)).rejects.toThrow('rolled back');
  const trust = { trust: [{ match: 'crm/*', r: 0.5, class: 'reported' }] };
  await acme.post('/v2/workspace/trust', { ...trust, dry_run: true });
  expect(await actions('?action=trust')).toEqual([]);
  await acme.post('/v2/workspace/trust', trust);
  await acme.post('/v2/workspace/trust', trust);
  expect((await audit('?action=trust')).body.events).toMatchObject([
    { before: { version: 0, trust: [] }, after: { version: 1, ...trust } },
  ]);
});

it('revoking a key twice is one act', async () => {
  const { id } = (await createKey()).body;
  await acme.delete(`/v2/api-keys/${id}`);
  await acme.delete(`/v2/api-keys/${id}`);
  expect(await actions(`?object=api_key:${id}`)).toEqual(['api_key.revoke', 'api_key.create']);
  expect(await actions(`?object=${id}`)).toEqual(['api_key.revoke', 'api_key.create']);
});

it('the plan before and after a change by an operator is recorded', async () => {
  await setPlan(hub.database.work, acme.workspaceId, 'growth');
  await setPlan(hub.database.work, acme.workspaceId, 'growth');
  expect((await audit('?action=workspace.set_plan')).body.events).toMatchObject([
    { actor: { kind: 'operator', id: 'admin' }, before: { plan: 'scale' }, after: { plan: 'growth' } },
  ]);
});

it('filters by actor, action, object and time', async () => {
  const { id } = (await createKey()).body;
  const [{ at, actor }] = (await audit('?actor=key')).body.events as [AuditResponse['events'][number]];
  expect(await actions(`?actor=${actor.id}`)).toEqual(['api_key.create']);
  expect(await actions(`?actor=key:${actor.id}&object=api_key&action=api_key`)).toEqual(['api_key.create']);
  expect(await actions(`?actor=oauth`)).toEqual([]);
  expect(await actions(`?since=${at}`)).toEqual(['api_key.create']);
  expect(await actions(`?until=${at}&object=${id}`)).toEqual([]);
  expect(await actions('?action=api')).toEqual([]);
  expect((await audit('?actor=nobody:1')).body).toMatchObject({ details: [{ field: 'actor' }] });
  expect((await audit('?since=yesterday')).body).toMatchObject({ details: [{ field: 'since' }] });
  expect((await audit('?target=x')).body).toMatchObject({ error: 'unknown_query_param' });
});

it('pages through all entries, each once, also those of one instant', async () => {
  await hub.database.work.run(acme.workspaceId, async tx => {
    for (let i = 0; i < 7; i++) recordAct(tx, { action: 'trust.change', objectId: null, after: { i } });
  });
  const seen: unknown[] = [];
  let cursor = '';
  do {
    const { body } = await audit(`?action=trust.change&limit=3${cursor && `&cursor=${cursor}`}`);
    seen.push(...body.events.map(({ after }) => (after as { i: number }).i));
    cursor = body.next_cursor ?? '';
  } while (cursor !== '');
  expect(seen.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  const first = (await audit('?action=trust.change&limit=3')).body.next_cursor;
  expect((await audit(`?action=api_key&limit=3&cursor=${first}`)).body.error).toBe('cursor_mismatch');
});

it('exports all matching entries as CSV in which no cell is a formula', async () => {
  await hub.database.work.run(acme.workspaceId, async tx => {
    for (let i = 0; i < 600; i++) recordAct(tx, { action: 'trust.change', objectId: null, after: { note: '=1,"2"' } });
  });
  await createKey(undefined, { 'x-rapport-client': '=HYPERLINK("http://x.test")' });
  const read = async (query: string) => {
    const response = await fetch(`${hub.url}/v2/workspace/audit?format=csv${query}`, {
      headers: { authorization: `Bearer ${acme.key}` },
    });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"');
    return parse(await response.text(), { columns: true }) as Record<string, string>[];
  };
  const rows = await read('&action=trust');
  expect(rows).toHaveLength(600);
  expect(rows[0]).toMatchObject({ action: 'trust.change', after: '{"note": "=1,\\"2\\""}'.replace(': ', ':') });
  expect((await read('&actor=key'))[0]).toMatchObject({ client: `'=HYPERLINK("http://x.test")` });
  expect(['=1', '+1', '-1', '@x', '\tx', '\rx'].map(toCsvCell).every(cell => /^"?'/.test(cell))).toBe(true);
});

it('needs the scope admin and shows nothing of another workspace', async () => {
  const { key } = (await createKey({ name: 'Agent', scopes: ['read', 'write'] })).body;
  const agent = clientOf(hub.url, key);
  expect((await agent.get<ErrorBody>('/v2/workspace/audit')).body.error).toBe('forbidden_scope');
  const { id } = (await createKey()).body;
  const other = await hub.workspace();
  const { body } = await other.get<AuditResponse>(`/v2/workspace/audit?object=${id}`);
  expect(body.events).toEqual([]);
});

it('a large setting is stored as its hash and size', async () => {
  await actInTransaction('trust.change', { text: 'x'.repeat(MAX_SETTING_BYTES) });
  const [event] = (await audit('?action=trust')).body.events;
  expect(event!.after).toEqual({ omitted: true, bytes: MAX_SETTING_BYTES + 11, sha256: expect.any(String) });
});
