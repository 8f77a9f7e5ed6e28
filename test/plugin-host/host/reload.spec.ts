import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL, fileURLToPath } from 'node:url';
import { requestReload } from '#plugin-host/host/desired-state.queries.js';
import { PluginReconciler } from '#plugin-host/host/plugin.reconciler.js';
import { PluginRegistry } from '#plugin-host/host/plugin.registry.js';
import { AGENTS } from '../../fixtures/mcp/agents.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

const KIT = pathToFileURL(fileURLToPath(new URL('../../fixtures/plugins/kit.js', import.meta.url))).href;

let dir: string;
let hub: TestHub;
let client: Client;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'reload-'));
  await mkdir(join(dir, 'parts'));
  await writeVersion('1.0.0', 'one');
  hub = await startTestHub({ PLUGINS_DIR: dir });
  client = await hub.workspace();
});
afterAll(async () => {
  await hub?.end();
  await rm(dir, { recursive: true });
});

const write = (name: string, text: string) => writeFile(join(dir, 'parts', name), text);

/** Writes a plugin of several files, each of which says which version it is of. */
async function writeVersion(version: string, word: string): Promise<void> {
  const exports = { '.': './index.js', './manifest': './manifest.js' };
  const about = { name: 'rapport-plugin-parts', version, keywords: ['rapport-plugin'], type: 'module', exports };
  await write('package.json', JSON.stringify(about));
  await write('words.js', `export const word = '${word}';`);
  await write('deep.js', `export { word } from './words.js';`);
  await write(
    'manifest.js',
    `import { manifestOf, toolManifest } from '${KIT}';
     import { word } from './words.js';
     export default manifestOf('parts', { displayName: word,
       routes: { say: { method: 'GET', path: 'say', auth: 'workspace' } },
       tools: { ['parts_' + word]: toolManifest } });`,
  );
  await write(
    'index.js',
    `import { mark, moduleOf, toolOptions } from '${KIT}';
     import { word as direct } from './words.js';
     class Parts {
       async say() { return { body: { direct, deep: (await import('./deep.js')).word } }; }
       tell() { return { direct }; }
     }
     mark('on-route', 'say', Parts, 'say');
     mark('mcp-tool', toolOptions('parts_' + direct), Parts, 'tell');
     export default moduleOf(Parts);`,
  );
}

async function reload(): Promise<void> {
  await requestReload(hub.database.work, 'parts');
  await hub.app.get(PluginReconciler, { strict: false }).reconcile();
  await hub.app.get(PluginReconciler, { strict: false }).reconcile();
}

const say = async () => (await client.get<{ direct: string; deep: string }>('/v2/plugins/parts/say')).body;
const listing = () => hub.app.get(PluginRegistry, { strict: false }).list()[0]!;
const tools = async () => {
  const agent = await AGENTS[0]![1](new URL('/mcp', hub.url), client.key);
  const names = (await agent.tools()).map(({ name }) => name).filter(name => name.startsWith('parts_'));
  await agent.close();
  return names;
};

it('loads every file of a new version, also those that are imported later', async () => {
  expect(await say()).toEqual({ direct: 'one', deep: 'one' });
  await writeVersion('2.0.0', 'two');
  await reload();
  expect(listing()).toEqual({ id: 'parts', package: 'rapport-plugin-parts', version: '2.0.0', state: 'ready' });
  expect(await say()).toEqual({ direct: 'two', deep: 'two' });
  expect(await tools()).toEqual(['parts_two']);
});

it.each([
  ['does not parse', () => write('words.js', 'export const word = ;'), 'Unexpected token'],
  ['lacks a file', () => write('index.js', "import './gone.js'; export default class {};"), 'gone.js'],
  [
    'differs from its manifest',
    () => write('index.js', `import { moduleOf } from '${KIT}'; export default moduleOf();`),
    'say',
  ],
  ['has a manifest that does not fit', () => write('manifest.js', 'export default { id: "parts" };'), 'does not fit'],
  [
    'has a file that Node cannot load again',
    () =>
      write('legacy.cjs', 'module.exports = 1;').then(() =>
        write('index.js', "import './legacy.cjs'; export default class {};"),
      ),
    'restart the hub',
  ],
])('keeps the running version if the new one %s, and says why', async (_, spoil, reason) => {
  await writeVersion('2.0.0', 'two');
  await reload();
  await writeVersion('3.0.0', 'three');
  await spoil();
  await reload();
  expect(listing()).toMatchObject({ version: '2.0.0', state: 'ready' });
  expect(listing().reason).toMatch(/^Version 3\.0\.0 was refused, so version 2\.0\.0 goes on: /);
  expect(listing().reason).toContain(reason);
  expect(await say()).toEqual({ direct: 'two', deep: 'two' });
  expect(await tools()).toEqual(['parts_two']);
});

it('runs the new version as soon as it can be loaded', async () => {
  await writeVersion('4.0.0', 'four');
  await reload();
  expect(listing()).toEqual({ id: 'parts', package: 'rapport-plugin-parts', version: '4.0.0', state: 'ready' });
  expect(await say()).toEqual({ direct: 'four', deep: 'four' });
});
