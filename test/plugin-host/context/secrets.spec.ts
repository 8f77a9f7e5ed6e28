import { fileURLToPath } from 'node:url';
import { AGENTS } from '../../fixtures/mcp/agents.js';
import { type Client } from '../../support/hub.js';
import {
  clientsOf,
  sharedDatabase,
  type SharedDatabase,
  type SpawnedHub,
  spawnHub,
} from '../../support/process/spawned-hub.js';
import { until } from '../../support/until.js';

const PLUGINS_DIR = fileURLToPath(new URL('../../fixtures/plugins/leaky', import.meta.url));
/** Looks like nothing that a log would hide by its form, and is another text in an address. */
const TOKEN = 'blue sky over Kassel/42';
const REFUSED = 'refused rain over Kassel/43';

let shared: SharedDatabase;
let hub: SpawnedHub;
let client: Client;

beforeAll(async () => {
  shared = await sharedDatabase();
  hub = await spawnHub({ ...shared.settings, PLUGINS_DIR, LOG_LEVEL: 'debug' });
  [client] = clientsOf([hub], await shared.workspace()) as [Client];
});
afterAll(() => shared?.drop());

const connect = (token: string) =>
  client.post('/v2/workspace/integrations', { provider: 'leaky', credentials: { token } });

/** Everything about a secret that would give it away, in the forms that it travels in. */
const formsOf = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(`user:${secret}`).toString('base64').slice(8, -4),
];

it('what plugins tell of secrets is in no answer, no log, no dead job and no connection', async () => {
  const received: unknown[] = [];
  received.push(await connect(REFUSED));
  expect((await connect(TOKEN)).status).toBe(201);
  for (const job of ['tell', 'end', 'stray']) await client.post(`/v2/plugins/leaky/emit/${job}`, {});
  received.push(await client.post('/v2/plugins/leaky/tell', { permanent: true }));
  received.push(await client.post('/v2/plugins/leaky/tell', {}));
  const agent = await AGENTS[0]![1](new URL('/mcp', hub.url), client.key);
  received.push(await agent.call('leaky_tell'));
  await agent.close();

  const { pool } = shared.database;
  const dead = async () => (await pool.query(`SELECT * FROM plugin_jobs WHERE state = 'dead'`)).rows;
  await until('both are dead', async () => (await dead()).length === 2);
  await hub.printed(/failed outside of a handler/);
  received.push(
    await dead(),
    (await pool.query('SELECT * FROM connections')).rows,
    await client.get('/v2/workspace/integrations'),
  );
  expect(await hub.end('SIGTERM')).toBe(0);
  const log = await hub.printed(/[^]*/);
  expect(log).toContain('The provider refused [hidden]');
  expect(JSON.stringify(await dead())).toContain('The provider refused [hidden]');
  received.push(log);

  const text = received.map(each => JSON.stringify(each)).join('\n');
  for (const secret of [TOKEN, REFUSED]) {
    for (const form of formsOf(secret)) expect(text.split(form)).toHaveLength(1);
  }
  expect(text).not.toMatch(/whsec_[A-Za-z0-9+/]{20}/);
  expect(log).not.toMatch(/\/hooks\/[A-Za-z0-9_-]{54}/);
});
