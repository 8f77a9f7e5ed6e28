import { LikenessJob } from '#graph/identity/likeness.job.js';
import type { ProposalsResponse } from '#graph/merges/merges.presenter.js';
import { account, record, state } from '../../support/graph/graph-calls.js';
import { linksOf, merge, unmerge } from '../../support/graph/merge-calls.js';
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

const scan = () => hub.app.get(LikenessJob, { strict: false }).scan(client.workspaceId);
const list = async (query = '') => (await client.get<ProposalsResponse>(`/v2/entities/proposals${query}`)).body;

/** Records two people who are like each other; returns their ids. */
async function recordPair(i = 0): Promise<[string, string]> {
  const one = await record(client, `katharina.brandt@firm${i}.com`, [state('name', 'Katharina Brandt')]);
  const other = await record(client, `katharina.brant@firm${i}.com`, [state('name', 'Katharina Brandt')]);
  return [one.entity_id, other.entity_id];
}

describe('the comparison by likeness', () => {
  it('proposes and never merges, and shows what the score is made of', async () => {
    const [one, other] = await recordPair();
    expect(await scan()).toBe(1);
    const { proposals, has_more } = await list();
    expect(has_more).toBe(false);
    expect(proposals).toMatchObject([
      {
        entity_id: other,
        other_entity_id: one,
        entity_name: (await account(client, other)).name,
        other_entity_name: (await account(client, one)).name,
        kind: 'likeness',
        value: 'name same, email typing error, employer same',
        guards: [],
        parts: [
          { field: 'name', agreement: 'same', weight: 10.55 },
          { field: 'email', agreement: 'typing error', weight: 8.64 },
          { field: 'employer', agreement: 'same', weight: 6.13 },
        ],
      },
    ]);
    expect(proposals[0]!.score).toBeGreaterThan(0.99);
    expect((await account(client, one)).entity_id).toBe(one);
    expect((await account(client, other)).entity_id).toBe(other);
    expect((await linksOf(client, one)).proposals).toEqual(proposals);
  });

  it('names nobody whose name was never stated', async () => {
    await record(client, 'ada@acme.com', [state('name', 'Ada Lovelace')]);
    await record(client, 'https://www.linkedin.com/in/unnamed', [state('email', 'ada@acme.com', { method: 'llm' })]);
    const { proposals } = await list();
    expect(proposals).toMatchObject([{ entity_name: null, other_entity_name: 'Ada Lovelace' }]);
  });

  it('shows the pair in attention', async () => {
    const [one] = await recordPair();
    await scan();
    const { body } = await client.get<{ items: { id: string; what: string }[] }>('/v2/attention?kinds=merge_proposal');
    expect(body.items.map(({ what }) => what)).toEqual([
      'May be the same as Katharina Brandt: name same, email typing error, employer same.',
    ]);
    expect(body.items[0]!.id.split(':').at(-1)).toBe(one);
  });

  it('proposes each pair once, also after a rejection', async () => {
    const [one, other] = await recordPair();
    expect([await scan(), await scan()]).toEqual([1, 0]);
    await unmerge(client, one, other);
    await record(client, 'someone.else@firm0.com', [state('name', 'Someone Else')]);
    expect(await scan()).toBe(0);
    expect((await list()).proposals).toEqual([]);
  });

  it('is accepted by a merge, and undone by an unmerge', async () => {
    const [one, other] = await recordPair();
    await scan();
    await merge(client, one, other);
    expect((await list()).proposals).toEqual([]);
    expect((await account(client, other)).entity_id).toBe(one);
    await unmerge(client, one, other);
    expect((await list()).proposals).toEqual([]);
    expect((await account(client, other)).entity_id).toBe(other);
  });

  it('leaves colleagues, namesakes at other companies and numbered addresses alone', async () => {
    await record(client, 'ada@acme.com', [state('name', 'Ada Lovelace'), state('phone', '+1 212 555 0100')]);
    await record(client, 'bob@acme.com', [state('name', 'Bob Miller'), state('phone', '+1 212 555 0100')]);
    await record(client, 'ada@initech.com', [state('name', 'Ada Lovelace')]);
    await record(client, 'john.smith1@acme.com', [state('name', 'John Smith')]);
    await record(client, 'john.smith2@acme.com', [state('name', 'Joanna Smith')]);
    expect(await scan()).toBe(0);
  });

  it('finds a company that is known by its name and by its domain', async () => {
    await record(client, 'globex.com', [state('name', 'Globex Inc.')]);
    await record(client, 'globex.de', [state('name', 'Globex GmbH')]);
    await scan();
    expect((await list()).proposals).toMatchObject([
      { kind: 'likeness', value: 'name same, domain same before the ending' },
    ]);
  });

  it('sees nothing of another workspace', async () => {
    await recordPair();
    await scan();
    client = await hub.workspace();
    expect((await list()).proposals).toEqual([]);
  });
});

describe('GET /v2/entities/proposals', () => {
  it('pages through all proposals, and refuses a foreign cursor', async () => {
    for (const i of [0, 1, 2]) await recordPair(i);
    expect(await scan()).toBe(3);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: ProposalsResponse = await list(`?limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.proposals.map(({ entity_id }) => entity_id));
      cursor = page.next_cursor;
    }
    expect(new Set(seen).size).toBe(3);
    expect(seen).toHaveLength(3);
    expect((await client.get('/v2/entities/proposals?cursor=nonsense')).status).toBe(400);
  });

  it('lists a second full name on one address as a shared address', async () => {
    await record(client, 'al@acme.com', [state('name', 'Ada Lovelace')]);
    await client.post('/v2/people', { email: 'al@acme.com', name: 'Bob Miller' });
    expect((await list()).proposals).toMatchObject([
      {
        kind: 'email',
        key: 'al@acme.com',
        guards: expect.arrayContaining(['shared_address']),
        score: null,
        parts: null,
      },
    ]);
  });
});
