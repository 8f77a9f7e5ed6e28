import { fileURLToPath } from 'node:url';
import { PluginRegistry } from '#plugin-host/host/plugin.registry.js';
import { account, event, record } from '../../support/graph/graph-calls.js';
import { startTestHub, type TestHub } from '../../support/hub.js';
import { until } from '../../support/until.js';

const folder = (name: string) => fileURLToPath(new URL(`../../fixtures/plugins/${name}`, import.meta.url));

/** What is to become of each, and what its reason is to say. */
const fates: Record<string, [state: string, reason: RegExp]> = {
  'bad-manifest': ['invalid', /colour.*minPlan/],
  'bad-package-json': ['invalid', /package\.json is not a JSON object/],
  'functions-in-manifest': ['invalid', /does not survive JSON/],
  'handler-without-declaration': ['failed', /"sync".*"jobs"/],
  'missing-file': ['failed', /gone\.js/],
  'rapport-plugin-missing-manifest': ['invalid', /manifest\.js/],
  'no-module': ['failed', /@Module\(\)/],
  'rapport-plugin-outside-of-its-folder': ['invalid', /outside of its own folder/],
  'syntax-error': ['failed', /./],
  'throws-at-construction': ['failed', /I will not be made/],
  'tool-without-handler': ['failed', /"tool_without_handler_list".*@McpTool/],
  'wants-the-database': ['failed', /rapport:database/],
  'wrong-sdk': ['incompatible', /\^9\.0\.0.*1\.\d/],
  'not-installed': ['invalid', /npm install not-installed/],
};

let hub: TestHub;
const listed = () => hub.app.get(PluginRegistry, { strict: false }).list();

describe('broken plugins', () => {
  beforeAll(async () => {
    hub = await startTestHub({ PLUGINS_DIR: folder('broken'), RAPPORT_PLUGINS: 'not-installed' });
  });
  afterAll(() => hub?.end());

  it.each(Object.entries(fates))('%s is listed as %j', (id, [state, reason]) => {
    const plugin = listed().find(each => each.id === id);
    expect(plugin).toMatchObject({ state, reason: expect.stringMatching(reason) });
  });

  it('the first of two with one id has it, and the second says who', () => {
    const listings = listed().filter(({ id }) => id === 'twin');
    expect(listings).toMatchObject([
      { package: 'rapport-plugin-duplicate-a', state: 'ready' },
      { package: 'rapport-plugin-duplicate-b', state: 'conflict', reason: expect.stringContaining('duplicate-a') },
    ]);
  });

  it('those beside them are ready, and nothing else is taken for a plugin', () => {
    const ready = listed().filter(({ state }) => state === 'ready');
    expect(ready.map(({ id }) => id)).toEqual(['twin', 'malformed-tool', 'sound']);
    expect(ready[2]).toEqual({ id: 'sound', package: 'rapport-plugin-sound', version: '1.2.3', state: 'ready' });
    expect(listed()).toHaveLength(Object.keys(fates).length + 4);
  });

  it('the hub serves, and shows their states without a word of the reasons', async () => {
    const client = await hub.workspace();
    await record(client, 'ada@acme.com', [event('call_held')]);
    expect((await account(client, 'ada@acme.com')).recent_observations).not.toHaveLength(0);
    const answer = await fetch(`${hub.url}/readyz`);
    expect(answer.status).toBe(200);
    const { plugins } = (await answer.json()) as { plugins: Record<string, string> };
    expect(plugins).toMatchObject({ sound: 'ready', 'wrong-sdk': 'incompatible', 'syntax-error': 'failed' });
  });
});

it('a plugin that hangs while it is imported or opened does not hold the start up', async () => {
  hub = await startTestHub({ PLUGINS_DIR: folder('hanging') });
  expect(listed()).toMatchObject([
    { id: 'hangs-at-import', state: 'failed', reason: expect.stringContaining('took longer') },
    { id: 'hangs-at-start', state: 'failed', reason: expect.stringContaining('took longer') },
  ]);
  await hub.end();
});

it('a plugin whose start took too long is started again', async () => {
  hub = await startTestHub({ PLUGINS_DIR: folder('slow') });
  expect(listed()).toMatchObject([
    { id: 'slow-once', state: 'failed', reason: expect.stringContaining('again in 2 s') },
  ]);
  await until('it is ready', () => listed()[0]!.state === 'ready');
  expect(listed()).toEqual([
    { id: 'slow-once', package: 'rapport-plugin-slow-once', version: '1.2.3', state: 'ready' },
  ]);
  await hub.end();
});
