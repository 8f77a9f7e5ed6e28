import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { account } from '../support/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';
import { until } from '../support/until.js';

const PLUGINS_DIR = fileURLToPath(new URL('tenants', import.meta.url));
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

const page = async (client: Client, kind: string, what: string) =>
  (
    await client.get<{ pages: string[]; owner: string | null }>(
      `/v2/plugins/diary/pages?kind=${encodeURIComponent(kind)}&what=${encodeURIComponent(what)}`,
    )
  ).body;

const nothingLeft = async () => {
  const { rows } = await hub.database.pool.query<{ n: number }>(
    'SELECT (SELECT count(*) FROM plugin_jobs)::int + (SELECT count(*) FROM outbox)::int AS n',
  );
  return rows[0]!.n === 0;
};

/** Words of two workspaces in the order they are sent, and how long each handler dawdles over its own. */
const deliveries = fc.array(fc.record({ by: fc.constantFrom('a', 'b'), pause: fc.integer({ min: 0, max: 15 }) }), {
  minLength: 2,
  maxLength: 16,
});

it('however deliveries of two workspaces interleave, neither sees the other’s store, credentials or events', async () => {
  await fc.assert(
    fc.asyncProperty(deliveries, async plan => {
      run++;
      const clients = { a: await connected(`a${run}`), b: await connected(`b${run}`) };
      const words = plan.map(({ by, pause }, n) => ({ by, pause, word: `w${run}x${n}${by}` }));
      await Promise.all(
        words.map(({ by, pause, word }) =>
          clients[by as 'a' | 'b'].post('/v2/plugins/diary/words', { all: [{ word, pause }] }),
        ),
      );
      await until('all is done', nothingLeft);
      for (const { by, word } of words) {
        const [own, other] = by === 'a' ? [clients.a, clients.b] : [clients.b, clients.a];
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
