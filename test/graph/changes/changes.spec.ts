import { fileURLToPath } from 'node:url';
import type { ChangesResponse } from '#graph/changes/changes.presenter.js';
import type { Change } from '#sdk/ports/changes.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { settleCommits } from '../../support/database/commit-order.js';
import { eraseWholly } from '../../support/graph/erasure-calls.js';
import { type ErrorBody, event, record, state } from '../../support/graph/graph-calls.js';
import { merge, unmerge } from '../../support/graph/merge-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

const PLUGINS_DIR = fileURLToPath(new URL('../../fixtures/plugins/listener', import.meta.url));

let hub: TestHub;
let client: Client;

beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR });
});
beforeEach(async () => {
  client = await hub.workspace();
});
afterAll(() => hub?.end());

const readNow = async (query: Record<string, string> = {}) =>
  (await client.get<ChangesResponse>(`/v2/changes?${new URLSearchParams(query)}`)).body;

/** Reads a page when all that was committed can be read. */
async function read(query: Record<string, string> = {}) {
  await settleCommits(hub);
  return readNow(query);
}

/** Reads all pages after a cursor. */
async function readAll(query: Record<string, string> = {}) {
  const changes: Change[] = [];
  for (let after = query['after']; ;) {
    const page = await read({ ...query, ...(after !== undefined && { after }) });
    changes.push(...page.changes);
    after = page.next_cursor;
    if (!page.has_more) return { changes, after };
  }
}

const properties = (changes: readonly Change[]) =>
  changes.map(change => ('property' in change ? change.property : change.kind));

describe('GET /v2/changes', () => {
  it('lists claims with their current value once, events, and who they are about', async () => {
    const { entity_id } = await record(client, 'external:acme:7', [state('title', 'CFO', { source: 'crm:acme' })]);
    await record(client, 'external:acme:7', [
      event('call_held', { value: { minutes: 12 }, external_id: 'call-1' }),
      state('title', 'CEO', { source: 'crm:acme', observed_at: new Date(Date.now() - 1000).toISOString() }),
    ]);
    const { changes, has_more, limit } = await read();
    expect({ has_more, limit }).toEqual({ has_more: false, limit: 100 });
    const about = { entity_id, type: 'person', external_ids: [{ system: 'acme', id: '7' }], at: expect.any(String) };
    expect(changes).toEqual([
      {
        ...about,
        kind: 'claim',
        property: 'title',
        value: expect.stringMatching(/^C[EF]O$/),
        confidence: expect.any(Number),
        freshness: 'fresh',
        epistemic_class: expect.any(String),
        source: 'crm:acme',
        method: 'api',
        observed_at: expect.any(String),
      },
      {
        ...about,
        kind: 'event',
        observation_id: expect.any(String),
        property: 'interaction.call_held',
        value: { minutes: 12 },
        source: 'agent',
        method: 'api',
        observed_at: expect.any(String),
        external_id: 'call-1',
      },
    ]);
  });

  it('goes on where the last page ended, and lists nothing twice', async () => {
    for (let i = 0; i < 7; i++)
      await record(client, `p${i}@gmail.com`, [state('title', `Title ${i}`), event('call_held')]);
    const pages: number[] = [];
    const seen: string[] = [];
    for (let after: string | undefined; ;) {
      const page: ChangesResponse = await read({ limit: '3', ...(after !== undefined && { after }) });
      pages.push(page.changes.length);
      seen.push(...page.changes.map(change => `${change.entity_id} ${change.kind}`));
      after = page.next_cursor;
      if (!page.has_more) break;
    }
    expect(pages).toEqual([3, 3, 3, 3, 2]);
    expect(new Set(seen).size).toBe(14);
    const { after } = await readAll();
    expect((await read({ after: after! })).changes).toEqual([]);
    await record(client, 'p1@gmail.com', [state('title', 'New title')]);
    expect((await read({ after: after! })).changes).toMatchObject([{ property: 'title', value: 'New title' }]);
  });

  it('begins behind everything with latest', async () => {
    await record(client, 'ada@gmail.com', [state('title', 'CFO')]);
    const { changes, next_cursor, has_more } = await read({ after: 'latest' });
    expect({ changes, has_more }).toEqual({ changes: [], has_more: false });
    await record(client, 'ada@gmail.com', [state('stage', 'evaluating')]);
    expect(properties((await read({ after: next_cursor })).changes)).toEqual(['stage']);
  });

  it('does not pass a transaction that commits later', async () => {
    await record(client, 'ada@gmail.com', [state('title', 'CFO')]);
    const { after } = await readAll();
    const connection = await hub.database.pool.connect();
    try {
      await connection.query('BEGIN');
      await connection.query(
        `SELECT set_config('role', 'rapport_app', true), set_config('app.workspace_id', '${client.workspaceId}', true)`,
      );
      await connection.query(
        `INSERT INTO observation_log (workspace_id, id, entity_id, kind, property, source, method, observed_at, recorded_at, digest)
         SELECT workspace_id, gen_random_uuid(), entity_id, 'event', 'interaction.call_held', source, method, now(), now(), digest
         FROM observations LIMIT 1`,
      );
      await record(client, 'bob@gmail.com', [state('title', 'CTO')]);
      expect((await readNow({ after: after! })).changes).toEqual([]);
      await connection.query('COMMIT');
    } finally {
      connection.release();
    }
    expect(properties((await read({ after: after! })).changes)).toEqual(['interaction.call_held', 'title']);
  });

  it('lists only what the caller selects', async () => {
    await record(client, 'ada@gmail.com', [
      state('job_title', 'CFO'),
      state('stage', 'evaluating'),
      event('call_held'),
    ]);
    await record(client, 'acme.com', [state('industry', 'Tools')]);
    expect(properties((await read({ kinds: 'event' })).changes)).toEqual(['interaction.call_held']);
    expect(properties((await read({ types: 'company' })).changes)).toEqual(['industry']);
    expect(properties((await read({ properties: 'job_title, interaction.call_held' })).changes)).toEqual([
      'title',
      'interaction.call_held',
    ]);
  });

  it('lists a claim that an event implies', async () => {
    await record(client, 'ada@gmail.com', [event('unsubscribed')]);
    const { changes } = await read({ kinds: 'claim' });
    expect(changes).toMatchObject([
      { kind: 'claim', property: 'do_not_contact', value: true },
      { kind: 'claim', property: 'email_status', value: 'unsubscribed' },
    ]);
    expect((await read({ properties: 'email_status' })).changes).toEqual([changes[1]]);
  });

  it('lists a claim that has ended with the value null', async () => {
    await record(client, 'ada@gmail.com', [state('title', 'CFO', { observed_at: '2026-01-01T00:00:00Z' })]);
    await record(client, 'ada@gmail.com', [state('title', null, { observed_at: '2026-02-01T00:00:00Z' })]);
    expect((await read()).changes).toMatchObject([{ property: 'title', value: null, epistemic_class: 'ended' }]);
  });

  it.each(['crm:acme', 'crm'])('sends a sync no echo of what %s stated', async notFrom => {
    const at = (month: number) => ({ observed_at: `2026-0${month}-01T00:00:00Z` });
    await record(client, 'ada@gmail.com', [
      state('title', 'CFO', { source: 'crm:acme', method: 'sync', ...at(1) }),
      state('stage', 'evaluating', { source: 'crm:acme', method: 'sync', ...at(1) }),
      event('call_held', { source: 'crm:acme' }),
    ]);
    expect((await read({ not_from: notFrom })).changes).toEqual([]);
    // Somebody confirms the one and corrects the other.
    await record(client, 'ada@gmail.com', [state('title', 'CFO', { source: 'user', method: 'correction', ...at(2) })]);
    await record(client, 'ada@gmail.com', [state('stage', 'won', { source: 'user', method: 'correction', ...at(2) })]);
    expect((await read({ not_from: notFrom })).changes).toMatchObject([{ property: 'stage', value: 'won' }]);
  });

  it('sends a sync a value that it stated once and has replaced since', async () => {
    const at = (month: number) => ({ observed_at: `2026-0${month}-01T00:00:00Z` });
    for (const [i, value] of ['CFO', 'CEO'].entries())
      await record(client, 'ada@gmail.com', [
        state('title', value, { source: 'crm:acme', method: 'sync', ...at(i + 1) }),
      ]);
    await record(client, 'ada@gmail.com', [state('title', 'CFO', { source: 'user', method: 'correction', ...at(3) })]);
    expect((await read({ not_from: 'crm:acme' })).changes).toMatchObject([{ property: 'title', value: 'CFO' }]);
  });

  it('lists merges, and unmerges, with the entity as it is now', async () => {
    const one = await record(client, 'ada@gmail.com', [state('title', 'CFO')]);
    const other = await record(client, 'a.byron@gmail.com', [state('title', 'CFO')]);
    let { after } = await readAll();
    const { entity_id } = await merge(client, one.entity_id, other.entity_id);
    const merged = await read({ after: after! });
    const ids = [one.entity_id, other.entity_id];
    const gone = ids.find(id => id !== entity_id)!;
    expect(merged.changes).toMatchObject([
      { kind: 'merge', entity_id, other_entity_id: gone, source: expect.any(String) },
    ]);
    after = merged.next_cursor;
    await unmerge(client, one.entity_id, other.entity_id);
    const [change, ...others] = (await read({ after })).changes;
    expect(others).toEqual([]);
    expect(change).toMatchObject({ kind: 'unmerge' });
    expect([change!.entity_id, 'other_entity_id' in change! && change.other_entity_id].toSorted()).toEqual(
      ids.toSorted(),
    );
  });

  it('lists an erasure, and nothing else about the person any more', async () => {
    const { entity_id } = await record(client, 'ada@gmail.com', [state('title', 'CFO'), event('call_held')]);
    const { after } = await readAll();
    await eraseWholly(hub, client, 'ada@gmail.com');
    const erasure = { kind: 'erasure', entity_id, type: 'person', external_ids: [], erased_ids: [entity_id] };
    expect((await read({ after: after! })).changes).toMatchObject([erasure]);
    expect((await read()).changes).toMatchObject([erasure]);
    expect((await read({ kinds: 'claim,event' })).changes).toEqual([]);
  });

  it.each([
    ['after', 'nonsense', 'after must be `next_cursor` of an earlier page'],
    ['kinds', 'claim,facts', 'kinds must be one or more of claim, event, retraction, merge, unmerge, erasure.'],
    ['types', 'lead', 'types must be one or more of person, company.'],
    ['properties', ',', 'properties must be 1 to 100 names.'],
    ['not_from', '', 'not_from must be 1 to 100 names.'],
    ['limit', '0', 'limit'],
  ])('refuses %s=%s and names the fix', async (field, value, message) => {
    const { status, body } = await client.get<ErrorBody>(`/v2/changes?${new URLSearchParams({ [field]: value })}`);
    expect(status).toBe(400);
    expect(body.details?.[0]).toMatchObject({ field, message: expect.stringContaining(message) });
  });

  it('examines a bounded number of rows for a page that fits nothing', async () => {
    await hub.app.get(UnitOfWork, { strict: false }).run(client.workspaceId, async tx => {
      await tx.query(
        `INSERT INTO observation_log (workspace_id, id, entity_id, kind, property, source, method, observed_at, recorded_at, digest)
         SELECT $1, gen_random_uuid(), gen_random_uuid(), 'event', 'interaction.call_held', 'agent', 'api', now(), now(), ''
         FROM generate_series(1, 5001)`,
        [tx.workspace],
      );
    });
    await record(client, 'ada@gmail.com', [state('title', 'CFO')]);
    const first = await read({ kinds: 'claim' });
    expect(first).toMatchObject({ changes: [], has_more: true });
    const second = await read({ kinds: 'claim', after: first.next_cursor });
    expect(properties(second.changes)).toEqual(['title']);
  });
});

describe('graph.changes', () => {
  const call = (options: object) => client.post('/v2/plugins/listener/graph', { call: 'changes', args: [options] });

  it('returns to a plugin what the endpoint returns', async () => {
    await record(client, 'ada@gmail.com', [state('title', 'CFO'), event('call_held')]);
    const { changes, next_cursor, has_more } = await read();
    expect((await call({})).body).toEqual({ changes, next: next_cursor, has_more });
    expect((await call({ after: next_cursor, notFrom: ['agent'] })).body).toMatchObject({ changes: [] });
  });

  it.each([{ limit: 0 }, { limit: 'many' }, { kinds: ['facts'] }, { after: 'nonsense' }])(
    'refuses %j',
    async options => {
      expect(await call(options)).toMatchObject({ status: 400 });
    },
  );
});
