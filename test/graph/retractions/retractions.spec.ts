import fc from 'fast-check';
import { rebuildClaims } from '#graph/observations/claim-rebuild.js';
import { ClaimsService } from '#graph/claims/claims.service.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { RetractionList, RetractionResponse } from '#graph/retractions/retractions.presenter.js';
import { eraseWholly } from '../../support/graph/erasure-calls.js';
import { retractSource } from '../../support/graph/retraction-calls.js';
import { account, event, record, state, tryAccount } from '../../support/graph/graph-calls.js';
import { settleCommits } from '../../support/database/commit-order.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

let hub: TestHub;
let client: Client;

beforeAll(async () => {
  hub = await startTestHub();
});
beforeEach(async () => {
  client = await hub.workspace();
});
afterAll(() => hub?.end());

const SOURCE = 'csv:wrong-file';
const imported = (property: string, value: unknown, more: object = {}) =>
  state(property, value, { source: SOURCE, method: 'import', ...more });

const retractPage = (body: object = {}) =>
  client.post<RetractionResponse>('/v2/retractions', { source: SOURCE, ...body });

const retractAll = ({ source = SOURCE, ...body }: { source?: string; [field: string]: unknown } = {}) =>
  retractSource(client, source, body);

/** Everything that is derived from the log of the workspace: claims, names, identifiers and merges. */
async function readGraph() {
  const read = async (sql: string) => (await hub.database.pool.query(sql, [client.workspaceId])).rows;
  return {
    claims: await read(`SELECT entity_id, property, state, value, confidence, top_observation_id FROM claims
      WHERE workspace_id = $1 ORDER BY entity_id, property`),
    entities:
      await read(`SELECT id, type, name, name_key, company_id, canonical_id, stage, first_activity_at, last_activity_at,
      last_inbound_activity_at FROM entities WHERE workspace_id = $1 AND canonical_id IS DISTINCT FROM id ORDER BY id`),
    identifiers: await read('SELECT kind, key, entity_id FROM identifiers WHERE workspace_id = $1 ORDER BY kind, key'),
    words: await read('SELECT word, entity_id FROM name_words WHERE workspace_id = $1 ORDER BY word, entity_id'),
    links: await read(
      `SELECT a, b, kind FROM entity_links WHERE workspace_id = $1 AND retracted_at IS NULL ORDER BY id`,
    ),
  };
}

const claimsService = () => hub.app.get(ClaimsService, { strict: false });

describe('POST /v2/retractions', () => {
  it('returns every claim to what it was, and removes who was not known before', async () => {
    await record(client, 'ada@acme.com', [state('name', 'Ada Byron'), state('title', 'CFO', { source: 'crm:a' })]);
    const before = await readGraph();
    await record(client, 'ada@acme.com', [imported('title', 'CTO'), imported('city', 'Oslo')]);
    await record(client, 'eve@other.com', [imported('name', 'Eve Wrong'), imported('title', 'CEO')]);
    expect((await account(client, 'ada@acme.com')).claims['city']?.value).toBe('Oslo');

    const sums = await retractAll({ reason: 'wrong file' });
    expect(sums).toMatchObject({ observations: 4, entities_removed: 2 });
    expect(await readGraph()).toEqual(before);
    expect((await tryAccount(client, 'eve@other.com')).status).toBe(404);
    expect((await tryAccount(client, 'other.com')).status).toBe(404);
    const { body } = await client.get<{ people: { name: string }[] }>('/v2/people');
    expect(body.people.map(({ name }) => name)).toEqual(['Ada Byron']);
  });

  it('reads what was known before the retraction with `known_at`', async () => {
    await record(client, 'ada@acme.com', [state('title', 'CFO')]);
    await record(client, 'ada@acme.com', [imported('city', 'Oslo'), event('call_held', { source: SOURCE })]);
    const { rows } = await hub.database.pool.query<{ at: Instant }>('SELECT clock_timestamp() AS at');
    await retractAll();
    const known_at = toIso(rows[0]!.at);
    const then = await account(client, 'ada@acme.com', { known_at });
    const now = await account(client, 'ada@acme.com');
    expect(then.claims['city']?.value).toBe('Oslo');
    expect(then.recent_observations.map(({ property }) => property)).toContain('interaction.call_held');
    expect(now.claims['city']).toBeUndefined();
    expect(now.recent_observations.map(({ property }) => property)).not.toContain('interaction.call_held');
    const query = { scope: { property: 'city' }, known_at };
    expect((await client.post<{ items: unknown[] }>('/v2/query', query)).body.items).toHaveLength(1);
    const present = await client.post<{ items: unknown[] }>('/v2/query', { scope: { property: 'city' } });
    expect(present.body.items).toEqual([]);
  });

  it('takes back identifiers and merges that rest on retracted statements alone', async () => {
    await record(client, 'https://linkedin.com/in/ada', [state('name', 'Ada Byron')]);
    await record(client, 'ada@acme.com', [state('name', 'Ada Byron')]);
    await record(client, 'https://linkedin.com/in/bob', [state('name', 'Bob Frost')]);
    const before = await readGraph();
    const source = 'agent:wrong';
    await record(client, 'https://linkedin.com/in/ada', [state('email', 'ada@acme.com', { source })]);
    await record(client, 'https://linkedin.com/in/bob', [state('email', 'bob@acme.com', { source })]);
    expect((await readGraph()).links).toHaveLength(1);
    await retractAll({ source });
    expect(await readGraph()).toEqual(before);
    expect((await tryAccount(client, 'bob@acme.com')).status).toBe(404);
  });

  it('leaves an identifier that another source states', async () => {
    await record(client, 'https://linkedin.com/in/bob', [state('name', 'Bob Frost')]);
    await record(client, 'https://linkedin.com/in/bob', [imported('email', 'bob@acme.com')]);
    await record(client, 'https://linkedin.com/in/bob', [state('email', 'bob@acme.com', { source: 'crm:a' })]);
    await retractAll();
    const { name, claims } = await account(client, 'bob@acme.com');
    expect(name).toBe('Bob Frost');
    expect(claims['email']?.value).toBe('bob@acme.com');
    expect(claims['company']?.value).toBe('acme.com');
  });

  it('leaves a person with anything else known about them', async () => {
    await record(client, 'eve@other.com', [imported('name', 'Eve Wrong')]);
    await record(client, 'eve@other.com', [event('call_held', { source: 'dialer' })]);
    expect(await retractAll()).toMatchObject({ entities_removed: 0 });
    expect(await account(client, 'eve@other.com')).toMatchObject({ name: null, type: 'person' });
  });

  it('lets the same facts be recorded again', async () => {
    const facts = [imported('name', 'Eve Right', { external_id: 'row-1' })];
    const first = await record(client, 'eve@other.com', facts);
    await retractAll();
    const again = await record(client, 'eve@other.com', facts);
    expect(again).toMatchObject({ recorded: 1, duplicates: 0, entity_created: true });
    expect(again.entity_id).not.toBe(first.entity_id);
    expect((await account(client, 'eve@other.com')).name).toBe('Eve Right');
    expect(await retractAll()).toMatchObject({ observations: 1 });
  });

  it('removes leads that nobody has worked, the list of the source, and takes scores back', async () => {
    await client.post('/v2/workspace/icp', { description: 'Founders of software companies.' });
    await record(client, 'ada@acme.com', [state('title', 'Founder')]);
    const before = await readGraph();
    const rows = ['ada@acme.com', 'eve@other.com', 'bob@third.com'].map(email => ({ email, city: 'Oslo' }));
    const added = await client.post<{ leads: { lead_id: string }[]; results: { lead_id: string }[] }>(
      '/v2/lead-lists/attach',
      {
        name: 'Wrong list',
        source: SOURCE,
        rows,
      },
    );
    const worked = added.body.results[2]!.lead_id;
    await client.patch(`/v2/leads/${worked}`, { status: 'sent' });
    expect(await retractAll()).toMatchObject({ leads: 2, entities_removed: 2 });
    const { body } = await client.get<{ leads: { id: string }[] }>('/v2/leads');
    expect(body.leads.map(({ id }) => id)).toEqual([worked]);
    const after = await readGraph();
    const ada = before.entities.find(({ type }) => type === 'person')!.id;
    expect(after.claims.filter(({ entity_id }) => entity_id === ada)).toEqual(before.claims);
  });

  it('leaves notes of the source out of lists and of search', async () => {
    await record(client, 'ada@acme.com', [state('title', 'CFO')]);
    const note = { focus: 'ada@acme.com', title: 'Renewal', content: 'They asked for a xylophone discount.' };
    await client.post('/v2/notes', { ...note, source: SOURCE, external_id: 'n-1' });
    const find = async () =>
      (await client.post<{ documents: unknown[] }>('/v2/notes/search', { question: 'xylophone' })).body.documents;
    expect(await find()).toHaveLength(1);
    expect(await retractAll()).toMatchObject({ notes: 1 });
    expect(await find()).toEqual([]);
    const { body } = await client.get<{ notes: unknown[] }>('/v2/notes');
    expect(body.notes).toEqual([]);
    await client.post('/v2/notes', { ...note, source: SOURCE, external_id: 'n-1' });
    expect(await find()).toHaveLength(1);
  });

  it('shows in the changes which statements were withdrawn, also of somebody who is gone', async () => {
    await record(client, 'eve@other.com', [imported('name', 'Eve Wrong')]);
    const { body: latest } = await client.get<{ next_cursor: string }>('/v2/changes?after=latest');
    await retractAll();
    await settleCommits(hub);
    const { body } = await client.get<{ changes: object[] }>(`/v2/changes?after=${latest.next_cursor}`);
    expect(body.changes).toEqual([
      expect.objectContaining({ kind: 'retraction', property: 'name', source: SOURCE }),
      expect.objectContaining({ kind: 'retraction', property: 'company', source: 'system:email_domain' }),
    ]);
  });

  it('erases and exports a person who was retracted', async () => {
    await record(client, 'eve@other.com', [imported('name', 'Eve Wrong'), imported('phone', '+4930123456')]);
    await retractAll({ reason: 'Eve Wrong was no contact' });
    const exported = await client.get<{ observations: unknown[] }>('/v2/people/eve@other.com/export');
    expect(JSON.stringify(exported.body)).toContain('Eve Wrong');
    await eraseWholly(hub, client, 'eve@other.com');
    const { rows } = await hub.database.pool.query(
      `SELECT value FROM observation_log WHERE workspace_id = $1 AND value::text ~ 'Eve|4930'`,
      [client.workspaceId],
    );
    expect(rows).toEqual([]);
    const { body } = await client.get<RetractionList>('/v2/retractions');
    expect(body.retractions[0]!.reason).not.toContain('Wrong');
    const left = await hub.database.pool.query(
      `SELECT FROM retracted_identifiers WHERE workspace_id = $1 AND kind <> 'domain'`,
      [client.workspaceId],
    );
    expect(left.rows).toEqual([]);
  });

  it('counts in a dry run what it would retract, and changes nothing', async () => {
    await record(client, 'eve@other.com', [imported('name', 'Eve Wrong')]);
    const before = await readGraph();
    expect(await retractAll({ dry_run: true })).toMatchObject({ observations: 1, entities_removed: 2 });
    expect(await readGraph()).toEqual(before);
    expect((await client.get<RetractionList>('/v2/retractions')).body.retractions).toEqual([]);
  });

  it('counts the same in a dry run, however the facts about somebody lie on its pages', async () => {
    for (const name of ['eve', 'bo', 'cy'])
      await record(client, `${name}@gmail.com`, [
        imported('title', 'CFO'),
        imported('city', 'Oslo'),
        imported('team', 1),
      ]);
    await client.post('/v2/notes', { focus: 'bo@gmail.com', title: 'Wrong', content: 'A wrong note.', source: SOURCE });
    const before = await readGraph();
    const counts = { observations: 9, notes: 1, entities_removed: 3 };
    expect(await retractAll({ dry_run: true, limit: 2 })).toMatchObject(counts);
    expect(await readGraph()).toEqual(before);
    expect(await retractAll({ limit: 2 })).toMatchObject(counts);
  });

  it('lists who retracted what, and why', async () => {
    await record(client, 'eve@other.com', [imported('name', 'Eve Wrong')]);
    await retractAll({ reason: 'wrong file' });
    const { body } = await client.get<RetractionList>('/v2/retractions');
    expect(body.retractions).toEqual([
      expect.objectContaining({ source: SOURCE, reason: 'wrong file', observations: 1, notes: 0 }),
    ]);
    expect(body.retractions[0]!.actor.kind).toBe('key');
  });

  it.each([
    [{ source: 'system:score' }, 'source'],
    [{ source: '' }, 'source'],
    [{ since: 'yesterday' }, 'since'],
    [{ limit: 0 }, 'limit'],
  ])('names the wrong field of %j', async (body, field) => {
    const answer = await client.post<{ details: { field: string }[] }>('/v2/retractions', { source: SOURCE, ...body });
    expect(answer.status).toBe(400);
    expect(answer.body.details[0]!.field).toBe(field);
  });

  it('refuses the cursor of another source', async () => {
    const { body } = await retractPage();
    const answer = await client.post<{ error: string }>('/v2/retractions', {
      source: 'csv:other',
      cursor: body.next_cursor,
    });
    expect(answer.body.error).toBe('cursor_mismatch');
  });
});

const person = fc.constantFrom('ada@gmail.com', 'bob@acme.com', 'https://linkedin.com/in/eve', 'carl@third.org');
const fact = fc.oneof(
  fc.record({
    property: fc.constantFrom('name', 'title', 'city', 'email', 'linkedin_url'),
    value: fc.constantFrom('Ada Byron', 'CFO', 'bob@acme.com', 'dora@fifth.net', 'https://linkedin.com/in/eve', null),
    day: fc.integer({ min: 1, max: 28 }),
  }),
  fc.record({
    event: fc.constantFrom('call_held', 'email_bounced', 'unsubscribed'),
    day: fc.integer({ min: 1, max: 28 }),
  }),
);
const calls = fc.array(fc.tuple(person, fc.array(fact, { minLength: 1, maxLength: 3 })), { maxLength: 6 });
const limits = fc.integer({ min: 1, max: 4 });

async function recordCalls(source: string, list: readonly [string, readonly object[]][]): Promise<void> {
  for (const [focus, facts] of list) {
    const observations = (facts as { property?: string; value?: unknown; event?: string; day: number }[]).map(each => {
      const observed_at = `2026-10-${String(each.day).padStart(2, '0')}T09:00:00Z`;
      return each.event
        ? event(each.event, { source, observed_at })
        : state(each.property!, each.value, { source, observed_at });
    });
    await client.post('/v2/observations', { focus, observations });
  }
}

it('an import and its retraction leave every derived row as it was, byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(
      calls,
      calls,
      fc.constantFrom(SOURCE, 'agent:wrong'),
      limits,
      async (history, wrong, source, limit) => {
        client = await hub.workspace();
        await recordCalls('crm:a', history);
        const before = await readGraph();
        await recordCalls(source, wrong);
        await retractAll({ source, limit });
        expect(await readGraph()).toEqual(before);
        const work = hub.app.get(UnitOfWork, { strict: false });
        expect(await rebuildClaims(work, client.workspaceId, claimsService())).toMatchObject({ changed: 0 });
      },
    ),
    { numRuns: 40 },
  );
});
