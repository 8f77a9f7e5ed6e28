import { event, record, state, tryAccount } from '../../support/graph/graph-calls.js';
import type { ErrorBody } from '../../support/graph/graph-calls.js';
import { merge } from '../../support/graph/merge-calls.js';
import { AGENTS } from '../../fixtures/mcp/agents.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

interface Hit {
  readonly entity_id: string;
  readonly type: string;
  readonly name: string;
  readonly matched_on: string;
  readonly score: number | null;
  readonly detail: string;
}
type Found = ErrorBody & {
  readonly query: string;
  readonly hits: Hit[];
  readonly count: number;
  readonly has_more: boolean;
};
type Ambiguous = ErrorBody & {
  readonly status?: string;
  readonly query: string;
  readonly count: number;
  readonly candidates: Hit[];
  readonly next_call: string;
};

let hub: TestHub;
let client: Client;

beforeAll(async () => {
  hub = await startTestHub();
  client = await hub.workspace();
  const people: readonly (readonly [string, string])[] = [
    ['ada@acme.com', 'Ada Lovelace'],
    ['adam@globex.com', 'Adam Loewe'],
    ['jm@globex.com', 'Jürgen Müller'],
    ['rs@initech.example', 'Robert Smith'],
    ['ob@initech.example', "Siobhan O'Brien"],
    ['yd@initech.example', '山田太郎'],
  ];
  for (const [email, name] of people) await record(client, email, [state('name', name)]);
  await record(client, 'ada@acme.com', [state('title', 'VP Sales'), event('call_held')]);
  await record(client, 'acme.com', [state('name', 'Acme Robotics GmbH')]);
  await record(client, 'globex.com', [state('name', 'Globex, Inc.')]);
  await record(client, 'grace.hopper@navy.example', [event('email_sent')]);
});
afterAll(() => hub?.end());

const find = (q: string, query: Record<string, string> = {}, own = client) =>
  own.get<Found>(`/v2/search?${new URLSearchParams({ q, ...query })}`);
const namesOf = async (q: string, query: Record<string, string> = {}) =>
  (await find(q, query)).body.hits.map(({ name }) => name);
const first = async (q: string) => {
  const [hit] = (await find(q)).body.hits;
  return hit && `${hit.name}: ${hit.matched_on}`;
};

describe('GET /v2/search', () => {
  it.each([
    ['Ada Lovelace', 'Ada Lovelace: exact'],
    ['ada lov', 'Ada Lovelace: prefix'],
    ['Lovelace, Ada', 'Ada Lovelace: part'],
    ['lovelace', 'Ada Lovelace: part'],
    ['place ada', undefined],
    ['Jurgen Muller', 'Jürgen Müller: exact'],
    ['Juergen Mueller', 'Jürgen Müller: exact'],
    ['Mueller', 'Jürgen Müller: part'],
    ['Bob Smith', 'Robert Smith: nickname'],
    ['Ada Lovlace', 'Ada Lovelace: similar'],
    ['Lovelcae', 'Ada Lovelace: similar'],
    ['Rbert Smith', 'Robert Smith: similar'],
    ['Smiht', 'Robert Smith: similar'],
    ['obrien', "Siobhan O'Brien: part"],
    ["O'Brien", "Siobhan O'Brien: part"],
    ['Ada Acme', 'Ada Lovelace: company'],
    ['Ada King Lovelace', 'Ada Lovelace: similar'],
    ['Acme Robotics', 'Acme Robotics GmbH: exact'],
    ['Acme Robotics Ltd', 'Acme Robotics GmbH: exact'],
    ['Robotics', 'Acme Robotics GmbH: part'],
    ['Globex', 'Globex, Inc.: exact'],
    ['globex.com', 'Globex, Inc.: exact'],
    ['https://www.globex.com/about', 'Globex, Inc.: exact'],
    ['ada@acme.com', 'Ada Lovelace: exact'],
    ['ada@ac', 'Ada Lovelace: prefix'],
    ['navy', 'navy.example: prefix'],
    ['grace hopper', 'grace.hopper@navy.example: prefix'],
    ['太郎', '山田太郎: part'],
    ['Zzyzx Qwpgh', undefined],
    ['!!', undefined],
  ])('finds for "%s" first %s', async (q, expected) => {
    expect(await first(q)).toBe(expected);
  });

  it('ranks exact before prefix before part before similar', async () => {
    const own = await hub.workspace();
    for (const [email, name] of [
      ['a@x.example', 'Marten'],
      ['b@x.example', 'Anna Martin'],
      ['c@x.example', 'Martin Vogel'],
      ['d@x.example', 'Martin'],
    ] as const)
      await record(own, email, [state('name', name)]);
    const { body } = await find('martin', {}, own);
    expect(body.hits.map(({ name, matched_on }) => [name, matched_on])).toEqual([
      ['Martin', 'exact'],
      ['Martin Vogel', 'prefix'],
      ['Anna Martin', 'part'],
      ['Marten', 'similar'],
    ]);
  });

  it('answers at each letter that is typed', async () => {
    const name = 'ada lovelace';
    for (let length = 1; length <= name.length; length++)
      expect(await namesOf(name.slice(0, length))).toContain('Ada Lovelace');
  });

  it('says what distinguishes a hit', async () => {
    const { body } = await find('ada lov');
    expect(body).toMatchObject({
      query: 'ada lov',
      count: 1,
      has_more: false,
      hits: [{ type: 'person', title: 'VP Sales', email: 'ada@acme.com', detail: 'VP Sales at acme.com' }],
    });
    expect(body.hits[0]!.score).toBeGreaterThan(0.8);
  });

  it('returns only the requested types and as many as requested', async () => {
    expect(await namesOf('a', { types: 'company' })).toEqual(['Acme Robotics GmbH']);
    expect(await namesOf('ada', { types: 'person' })).toEqual(['Ada Lovelace', 'Adam Loewe']);
    const { body } = await find('ada', { limit: '1' });
    expect(body).toMatchObject({ count: 1, has_more: true });
  });

  it.each([
    [{}, 'q'],
    [{ q: '' }, 'q'],
    [{ q: '   ' }, 'q'],
    [{ q: 'x'.repeat(321) }, 'q'],
    [{ q: 'ada', types: 'lead' }, 'types'],
    [{ q: 'ada', limit: '0' }, 'limit'],
    [{ q: 'ada', kind: 'person' }, 'kind'],
  ] as readonly (readonly [Record<string, string>, string])[])(
    'returns 400 for %j and names %s',
    async (query, field) => {
      const { status, body } = await client.get<ErrorBody>(`/v2/search?${new URLSearchParams(query)}`);
      expect(status).toBe(400);
      expect(JSON.stringify(body)).toContain(field);
    },
  );

  it('follows changes of a name, merges, and erasure', async () => {
    const own = await hub.workspace();
    const { entity_id } = await record(own, 'kim@x.example', [state('name', 'Kim Maiden')]);
    await record(own, 'kim@x.example', [state('name', 'Kim Married', { observed_at: '2026-02-01' })]);
    await record(own, 'kim@x.example', [state('name', 'Kim Wedded')]);
    expect((await find('Maiden', {}, own)).body.hits).toEqual([]);
    expect((await find('Wedded', {}, own)).body.hits).toMatchObject([{ entity_id }]);
    await record(own, 'kw@y.example', [state('name', 'Kim Wedded')]);
    expect((await find('Wedded', {}, own)).body.count).toBe(2);
    await merge(own, 'kim@x.example', 'kw@y.example');
    expect((await find('Wedded', {}, own)).body.hits).toMatchObject([{ entity_id }]);
    expect((await find('kw@y', {}, own)).body.hits).toMatchObject([{ entity_id }]);
    expect((await own.post(`/v2/people/${entity_id}/erase`, {})).status).toBe(202);
    expect((await find('Wedded', {}, own)).body.hits).toEqual([]);
    expect((await find('kim@x', {}, own)).body.hits).toEqual([]);
  });

  it('finds nothing of another workspace', async () => {
    const other = await hub.workspace();
    for (const q of ['Ada Lovelace', 'ada', 'Lovlace', 'ada@acme.com', 'acme', 'Acme Robotics'])
      expect((await find(q, {}, other)).body.hits).toEqual([]);
  });
});

describe('the tool query with search', () => {
  it('finds what GET /v2/search finds, and refuses what it would ignore', async () => {
    const agent = await AGENTS[1]![1](new URL('/mcp', hub.url), client.key);
    const { structuredContent: found } = await agent.call('query', { search: 'ada lov' });
    expect(found).toMatchObject({
      search: 'ada lov',
      return: 'entities',
      matched: 1,
      items: [{ entity_name: 'Ada Lovelace', entity_type: 'person', matched_on: 'prefix', email: 'ada@acme.com' }],
    });
    expect((await agent.call('query', { search: ' ' })).isError).toBe(true);
    const both = await agent.call('query', { search: 'ada', question: 'who?' });
    expect(both).toMatchObject({ isError: true, text: expect.stringContaining('question') });
    const byName = await agent.call('get_account', { id: 'Lovelace' });
    expect(byName.structuredContent).toMatchObject({
      status: 'ambiguous',
      next_call: expect.stringContaining('get_account'),
    });
    await agent.close();
  });
});

describe('reads by a name that nobody has exactly', () => {
  it.each([
    ['Lovelace', 'part'],
    ['Lovelace Ada', 'part'],
    ['Jurgen Muller', 'exact'],
    ['Bobby Smith', 'nickname'],
    ['Ada Lovelcae', 'similar'],
    ['Acme Robotics AG', 'exact'],
  ])('return candidates for "%s", and how to go on', async (name, matchedOn) => {
    const { status, body } = await tryAccount<Ambiguous>(client, name);
    expect({ status, said: body.status }).toEqual({ status: 200, said: 'ambiguous' });
    expect(body.query).toBe(name);
    expect(body.candidates[0]!.matched_on).toBe(matchedOn);
    expect(body.next_call).toContain(body.candidates[0]!.entity_id);
    expect((await tryAccount(client, body.candidates[0]!.entity_id)).status).toBe(200);
  });

  it('are narrowed by the company', async () => {
    const path = `/v2/accounts/lovelace?${new URLSearchParams({ company: 'globex.com' })}`;
    expect((await client.get<ErrorBody>(path)).status).toBe(404);
    expect((await client.get<Ambiguous>(path.replace('globex', 'acme'))).body.candidates).toHaveLength(1);
  });

  it('repeat in the error what was looked up, if nothing is like it', async () => {
    const { status, body } = await tryAccount<ErrorBody & { query: string; detail: string }>(client, 'Zzyzx Qwpgh');
    expect({ status, error: body.error, query: body.query }).toEqual({
      status: 404,
      error: 'entity_not_found',
      query: 'Zzyzx Qwpgh',
    });
    expect(body.detail).toContain('"Zzyzx Qwpgh"');
    const unknown = await tryAccount<ErrorBody & { query: string }>(client, 'nobody@acme.com');
    expect(unknown).toMatchObject({ status: 404, body: { query: 'nobody@acme.com' } });
  });

  it('never choose for the caller', async () => {
    const score = await client.post<{ reason: string; candidates: Hit[] }>('/v2/score', { identifier: 'Lovelace' });
    expect(score.body).toMatchObject({ reason: 'ambiguous', candidates: [{ name: 'Ada Lovelace' }] });
    const verify = await client.post<Ambiguous>('/v2/verify', { focus: 'Lovelace', property: 'title' });
    expect(verify.body).toMatchObject({ status: 'ambiguous', candidates: [{ name: 'Ada Lovelace' }] });
  });
});
