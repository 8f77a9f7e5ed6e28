import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { ClusterChangedError } from '#graph/identity/entity-locks.js';
import { event, record, state, wholeTimeline } from '../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';
import { expectClaimsConsistent } from '../support/graph/expect-claims-consistent.js';
import { merge, tryMerge, tryUnmerge, unmerge } from '../support/graph/merge-calls.js';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR: 'test/plugins/none' });
});
afterAll(() => hub.end());

const focusOf = (n: number) => `p${n}@gmail.com`;
const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString();

function wordsOf(writer: number, round: number): object[] {
  const more = {
    observed_at: day((round * 7 + writer) % 29),
    external_id: `${writer}-${round}`,
    source: `crm:${writer}`,
  };
  return [
    state('title', ['CTO', 'CEO', null][(writer + round) % 3], more),
    state('technologies', [`tool ${round % 3}`], more),
    event(['email_replied', 'unsubscribed', 'email_sent'][round % 3]!, more),
  ];
}

/** All that is kept of claims, byte for byte, whoever they are kept under. */
async function claimsOf(client: Client): Promise<string[]> {
  const sql =
    'SELECT entity_id, property, state::json, value, text_value, top_observation_id FROM claims WHERE workspace_id = $1';
  const { rows } = await hub.database.pool.query<object>(sql, [client.workspaceId]);
  return rows.map(row => canonicalize(row)!).toSorted();
}

it('while twenty writers write to both, merging and parting them loses nothing', async () => {
  const acme = await hub.workspace();
  await Promise.all([0, 1].map(n => record(acme, focusOf(n), [state('title', 'first')])));
  const acknowledged: string[] = [];
  const write = async (writer: number) => {
    for (let round = 0; round < 6; round++) {
      const answer = await record(acme, focusOf((writer + round) % 2), wordsOf(writer, round));
      expect(answer.recorded).toBe(3);
      acknowledged.push(...answer.observation_ids);
    }
  };
  const regroup = async () => {
    for (let round = 0; round < 3; round++) {
      expect((await tryMerge(acme, focusOf(0), focusOf(1))).status).toBe(200);
      expect((await tryUnmerge(acme, focusOf(0), focusOf(1))).status).toBe(200);
    }
    await merge(acme, focusOf(1), focusOf(0));
  };
  await Promise.all([...Array.from({ length: 20 }, (_, writer) => write(writer)), regroup()]);
  const logged = new Set((await wholeTimeline(acme, focusOf(0))).map(o => o.id));
  expect(acknowledged.filter(id => !logged.has(id))).toEqual([]);
  await expectClaimsConsistent(hub.database.pool, acme.workspaceId);
  await unmerge(acme, focusOf(0), focusOf(1));
  await expectClaimsConsistent(hub.database.pool, acme.workspaceId);
});

it('merges of many at once, in whatever directions, end in one', async () => {
  const acme = await hub.workspace();
  const people = Array.from({ length: 8 }, (_, n) => n);
  const made = await Promise.all(people.map(n => record(acme, focusOf(n), [state('title', `${n}`)])));
  await Promise.all(people.map(n => merge(acme, focusOf(n), focusOf((n + 1) % 8))));
  const answers = await Promise.all(people.map(n => record(acme, focusOf(n), [event('call_held')])));
  const [one, ...others] = new Set(answers.map(({ entity_id }) => entity_id));
  expect(others).toEqual([]);
  expect(made.map(({ entity_id }) => entity_id)).toContain(one);
  await expectClaimsConsistent(hub.database.pool, acme.workspaceId);
});

it('two calls that state each other’s address at the same time end in one entity, or two, with nothing lost', async () => {
  const acme = await hub.workspace();
  await Promise.all([
    record(acme, 'ada@gmail.com', [state('title', 'x')]),
    record(acme, 'linkedin.com/in/ada', [state('title', 'y')]),
  ]);
  const crossing = Array.from({ length: 12 }, (_, i) =>
    i % 2
      ? record(acme, 'ada@gmail.com', [state('linkedin_url', 'linkedin.com/in/ada'), state('title', `${i}`)])
      : record(acme, 'linkedin.com/in/ada', [state('email', 'ada@gmail.com'), state('title', `${i}`)]),
  );
  const answers = await Promise.all(crossing);
  expect(new Set(answers.map(({ entity_id }) => entity_id)).size).toBe(1);
  await expectClaimsConsistent(hub.database.pool, acme.workspaceId);
});

it('merged in any order the claims are the same, and parted they are what they were', async () => {
  const logs = fc.array(fc.tuple(fc.nat(2), fc.nat(9), fc.nat(5)), { minLength: 1, maxLength: 10 });
  const orders = fc.constantFrom([0, 1, 1, 2], [1, 2, 0, 2], [2, 0, 1, 0]);
  await fc.assert(
    fc.asyncProperty(logs, orders, async (log, [a, b, c, d]) => {
      const acme = await hub.workspace();
      for (const n of [0, 1, 2]) await record(acme, focusOf(n), [state('name', `P ${n}`, { observed_at: day(n) })]);
      for (const [n, writer, round] of log) await record(acme, focusOf(n), wordsOf(writer, round));
      const apart = await claimsOf(acme);
      await merge(acme, focusOf(a!), focusOf(b!));
      const half = await claimsOf(acme);
      await merge(acme, focusOf(c!), focusOf(d!));
      await expectClaimsConsistent(hub.database.pool, acme.workspaceId);
      await unmerge(acme, focusOf(c!), focusOf(d!));
      expect(await claimsOf(acme)).toEqual(half);
      await unmerge(acme, focusOf(a!), focusOf(b!));
      expect(await claimsOf(acme)).toEqual(apart);
    }),
    { numRuns: 12 },
  );
});

it('a write that found its entity before a merge is run again, not lost', () => {
  expect(new ClusterChangedError()).toMatchObject({ code: '40001' });
});
