import { fileURLToPath } from 'node:url';
import { createLogger } from '#kernel/telemetry/logger.js';
import { startHub } from '../../src/hub.js';
import { type Client, clientOf, startTestHub, TEST_KEYS, testEnv, type TestHub } from '../support/hub.js';
import { rapportHere } from '../support/process/rapport-command.js';

const PLUGINS_DIR = fileURLToPath(new URL('../fixtures/plugins/tenants', import.meta.url));
const NEW_KEY = `fresh:${Buffer.alloc(32, 9).toString('base64')}`;

let hub: TestHub;
let client: Client;

beforeAll(async () => {
  // The first phase of a rotation: every process holds the new key, and none encrypts with it.
  hub = await startTestHub({ PLUGINS_DIR, SECRET_KEYS: `${TEST_KEYS},${NEW_KEY}` });
  // The diary keeps nothing by itself while its secrets are counted.
  await hub.database.pool.query(`INSERT INTO plugin_schedules VALUES ('diary', 'tick', 1e15)`);
  client = await hub.workspace();
  const input = { provider: 'diary', credentials: { token: 'a-token' } };
  expect((await client.post('/v2/workspace/integrations', input)).status).toBe(201);
});
afterAll(() => hub?.end());

const rotate = (keys: string, ...words: string[]) =>
  rapportHere(['admin', 'secrets', 'rotate', ...words], { DATABASE_URL: hub.database.url, SECRET_KEYS: keys });

/** The ids of the keys that something is sealed with. */
async function keysInUse(): Promise<string[]> {
  const { rows } = await hub.database.pool.query<{ text: string }>(
    `SELECT coalesce(string_agg(credentials::text || webhook_secrets::text, ' '), '') || ' ' ||
       (SELECT coalesce(string_agg(value::text, ' '), '') FROM plugin_store) AS text FROM connections`,
  );
  return [...new Set([...rows[0]!.text.matchAll(/sealed:([^:]+):/g)].map(([, id]) => id!))].toSorted();
}

it('seals every secret again under the first key, and may be repeated', async () => {
  expect(await keysInUse()).toEqual(['test']);
  const tried = await rotate(`${NEW_KEY},${TEST_KEYS}`, '--dry-run', '--json');
  expect(JSON.parse(tried.out)).toMatchObject({ key: 'fresh', dry_run: true, rotated: [{ read: 2, resealed: 2 }] });
  expect(await keysInUse()).toEqual(['test']);

  const done = await rotate(`${NEW_KEY},${TEST_KEYS}`);
  expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/SECRETS +RESEALED\n\S+ +2 +2/) });
  expect(await keysInUse()).toEqual(['fresh']);
  const again = await rotate(NEW_KEY, '--json', '--workspace', client.workspaceId);
  expect(JSON.parse(again.out)).toMatchObject({
    rotated: [{ workspace_id: client.workspaceId, read: 2, resealed: 0 }],
  });

  const next = await startHub(testEnv(hub.database.url, { PLUGINS_DIR, SECRET_KEYS: NEW_KEY }), createLogger('silent'));
  const answer = await clientOf(next.url, client.key).get('/v2/plugins/diary/pages?kind=&what=');
  expect(answer).toMatchObject({ status: 200, body: { address: expect.stringContaining('/hooks/') } });
  await next.close();
});

it('refuses to seal under a key that a running process does not hold', async () => {
  const unknown = `unknown:${Buffer.alloc(32, 1).toString('base64')}`;
  const { code, out, err } = await rotate(`${unknown},${NEW_KEY},${TEST_KEYS}`);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(
    /1 running process does not hold the key "unknown" \(all \S+\/\d+\): add it to the end of SECRET_KEYS there and restart it/,
  );
  const swapped = await rotate(`fresh:${Buffer.alloc(32, 1).toString('base64')},${TEST_KEYS}`);
  expect(swapped).toMatchObject({ code: 1, err: expect.stringContaining('does not hold the key "fresh"') });
  expect(await keysInUse()).toEqual(['fresh']);
});

it('names the key that is missing, and changes nothing', async () => {
  const { code, out, err } = await rotate(TEST_KEYS);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain('"fresh", which SECRET_KEYS does not hold');
  expect(await keysInUse()).toEqual(['fresh']);
});
