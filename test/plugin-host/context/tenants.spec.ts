import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { account } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { until } from '../../support/until.js';

const PLUGINS_DIR = fileURLToPath(new URL('../../fixtures/plugins/tenants', import.meta.url));
const RUNS = 5;

let hub: TestHub;
let run = 0;

beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR });
});
afterAll(() => hub?.end());

/** A workspace with a connection of its own to the same plugin. */
async function connected(owner: string): Promise<Client> {
  const client = await hub.workspace();
  const body = { provider: 'diary', credentials: { token: `token-of-${owner}` }, settings: { owner } };
  expect((await client.post('/v2/workspace/integrations', body)).status).toBe(201);
  return client;
}

async function page(client: Client, kind: string, what: string) {
  const query = `kind=${encodeURIComponent(kind)}&what=${encodeURIComponent(what)}`;
  const { body } = await client.get<{ pages: string[]; owner: string | null; address: string }>(
    `/v2/plugins/diary/pages?${query}`,
  );
  const { pages, owner } = body;
  return { pages, owner };
}

/** Sends a webhook to the address that the connection of a workspace has registered. */
async function deliver(client: Client, body: object): Promise<void> {
  const { address } = (await client.get<{ address: string }>('/v2/plugins/diary/pages?kind=&what=')).body;
  const { pathname } = new URL(address);
  const answer = await fetch(hub.url + pathname, { method: 'POST', body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
}

const nothingLeft = async () => {
  const { rows } = await hub.database.pool.query<{ n: number }>(
    'SELECT (SELECT count(*) FROM plugin_jobs)::int + (SELECT count(*) FROM outbox)::int AS n',
  );
  return rows[0]!.n === 0;
};

/** Words of two workspaces in the order they are sent, by which way, and how long each handler dawdles over its own. */
const deliveries = fc.array(
  fc.record({
    by: fc.constantFrom('a', 'b'),
    way: fc.constantFrom('job', 'webhook'),
    pause: fc.integer({ min: 0, max: 15 }),
  }),
  { minLength: 2, maxLength: 16 },
);

it('however deliveries of two workspaces interleave, neither sees the other’s store, credentials or events', async () => {
  await fc.assert(
    fc.asyncProperty(deliveries, async plan => {
      run++;
      const clients = { a: await connected(`a${run}`), b: await connected(`b${run}`) };
      const words = plan.map(({ by, way, pause }, n) => ({ by, way, pause, word: `w${run}x${n}${by}` }));
      await Promise.all(
        words.map(async ({ by, way, pause, word }) => {
          const client = clients[by as 'a' | 'b'];
          if (way === 'webhook') await deliver(client, { word, pause });
          else await client.post('/v2/plugins/diary/words', { all: [{ word, pause }] });
        }),
      );
      await until('all is done', nothingLeft);
      for (const { by, way, word } of words) {
        const [own, other] = by === 'a' ? [clients.a, clients.b] : [clients.b, clients.a];
        if (way === 'webhook') {
          expect(await page(own, `post ${word}`, word)).toEqual({
            pages: [word],
            owner: `token-of-${by}${run}|${by}${run}`,
          });
          expect(await page(other, `post ${word}`, word)).toEqual({ pages: [], owner: null });
          continue;
        }
        const { entity } = (await account(own, `${word}@example.org`)) as unknown as { entity: { id: string } };
        const mine = `token-of-${by}${run}|${by}${run}`;
        for (const [kind, what] of [
          [`job ${word}`, word],
          [`written ${word}`, word],
          [`recorded ${entity.id}`, entity.id],
        ] as const) {
          expect(await page(own, kind, what)).toEqual({ pages: [what], owner: mine });
          expect(await page(other, kind, what)).toEqual({ pages: [], owner: null });
        }
      }
    }),
    { numRuns: RUNS },
  );
});
