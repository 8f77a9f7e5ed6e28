import { fileURLToPath } from 'node:url';
import { AGENTS } from '../fixtures/mcp/agents.js';
import { account, event, record } from '../support/graph/graph-calls.js';
import type { Client } from '../support/hub.js';
import { type LinkedPlugins, linkedPlugins } from '../support/plugins/linked-plugins.js';
import { rapportHere } from '../support/process/rapport-command.js';
import {
  clientsOf,
  sharedDatabase,
  type SharedDatabase,
  type SpawnedHub,
  spawnHub,
} from '../support/process/spawned-hub.js';
import { until } from '../support/until.js';

const folder = (name: string) => fileURLToPath(new URL(`../fixtures/plugins/${name}`, import.meta.url));
const LEAKS = 40;

let shared: SharedDatabase;
let plugins: LinkedPlugins;
let hub: SpawnedHub;
let client: Client;

beforeAll(async () => {
  plugins = linkedPlugins(folder('broken/malformed-tool'), folder('rough/rough'));
  shared = await sharedDatabase();
  hub = await spawnHub({ ...shared.settings, PLUGINS_DIR: plugins.dir });
  [client] = clientsOf([hub], await shared.workspace()) as [Client];
});
afterAll(async () => {
  await shared?.drop();
  plugins?.remove();
});

it('a malformed tool is left out with one warning, and the other tool of its plugin works', async () => {
  for (const [, connect] of AGENTS) {
    const agent = await connect(new URL('/mcp', hub.url), client.key);
    const names = (await agent.tools()).map(({ name }) => name);
    expect(names.filter(name => name.startsWith('malformed_tool_'))).toEqual(['malformed_tool_good']);
    expect((await agent.call('malformed_tool_good')).structuredContent).toEqual({ said: 'well' });
    await agent.close();
  }
  const warnings = (await hub.printed(/[^]*/)).split('\n').filter(line => line.includes('malformed_tool_bad'));
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('It is skipped.');
});

it('a plugin that leaks memory leaves the hub serving, and operators see the plugin and the memory of its process', async () => {
  await client.post('/v2/plugins/rough/jobs/leaks', { all: Array.from({ length: LEAKS }, () => null) });
  const leaks = async () =>
    (await client.get<unknown[]>('/v2/plugins/rough/seen')).body.filter(each => each === 'leaks').length;
  await until('it has leaked', async () => (await leaks()) === LEAKS);
  await record(client, 'ada@acme.com', [event('call_held')]);
  expect((await account(client, 'ada@acme.com')).recent_observations).not.toHaveLength(0);
  const metrics = async () => (await fetch(`${hub.url}/metrics`)).text();
  expect(await metrics()).toMatch(/^process_resident_memory_bytes \d/m);
  // What was recorded above may have given the plugin a job as well by now.
  const done = /^rapport_plugin_jobs_total\{plugin="rough",outcome="done"\} (\d+)$/m;
  await until('all are counted', async () => Number(done.exec(await metrics())?.[1]) >= LEAKS);
  const list = await rapportHere(['admin', 'plugins', 'list'], { DATABASE_URL: shared.settings['DATABASE_URL']! });
  expect(list).toMatchObject({ code: 0, out: expect.stringMatching(/rough +1\.2\.3 +ready/) });
  expect(await hub.end('SIGTERM')).toBe(0);
});
