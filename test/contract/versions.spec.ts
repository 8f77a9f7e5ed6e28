import { existsSync, globSync, readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { VERSION } from '../../src/cli/version.js';
import { SDK_VERSION } from '../../src/sdk/version.js';
import { rapport, rapportHere } from '../support/process/rapport-command.js';
import { startTestHub, type TestHub } from '../support/hub.js';

interface Package {
  readonly name: string;
  readonly version: string;
  readonly keywords?: readonly string[];
}

const json = <T>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as T;
const { version } = json<Package>('package.json');
const lock = json<{ version: string; packages: Record<string, Package> }>('package-lock.json');

/** Packages that are released together with the hub. Others of this repository have versions of their own. */
const released = ['src/cli', ...bundledPlugins()];

function bundledPlugins(): string[] {
  const folders = globSync('plugins/*').filter(folder => existsSync(`${folder}/package.json`));
  return folders.filter(folder => json<Package>(`${folder}/package.json`).keywords?.includes('rapport-plugin'));
}

describe('the version of the hub', () => {
  let hub: TestHub;
  beforeAll(async () => {
    hub = await startTestHub();
  });
  afterAll(() => hub.end());

  it('is that of the command line and of the bundled plugins', () => {
    expect(released).toEqual(expect.arrayContaining(['src/cli', 'plugins/calcom', 'plugins/triggers']));
    const versions = released.map(folder => [folder, json<Package>(`${folder}/package.json`).version]);
    expect(versions).toEqual(released.map(folder => [folder, version]));
    expect(VERSION).toBe(version);
  });

  it('is in the lockfile', () => {
    expect(lock.version).toBe(version);
    const versions = ['', ...released].map(folder => [folder, lock.packages[folder]?.version]);
    expect(versions).toEqual(['', ...released].map(folder => [folder, version]));
  });

  it('is in the OpenAPI document', async () => {
    const { info } = (await (await fetch(`${hub.url}/openapi.json`)).json()) as { info: { version: string } };
    expect(info.version).toBe(version);
  });

  it('is what the MCP server introduces itself with', async () => {
    const { key } = await hub.workspace();
    const client = new Client({ name: 'versions', version: '1.0.0' });
    const headers = { authorization: `Bearer ${key}` };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', hub.url), { requestInit: { headers } }));
    expect(client.getServerVersion()?.version).toBe(version);
    await client.close();
  });

  it('is in the readiness and in the metrics', async () => {
    const readiness = (await (await fetch(`${hub.url}/readyz`)).json()) as { version: string };
    expect(readiness.version).toBe(version);
    const metrics = await (await fetch(`${hub.url}/metrics`)).text();
    const labels = `version="${version}",node_version="${process.versions.node}"`;
    expect(metrics.split('\n')).toContain(`rapport_build_info{${labels}} 1`);
  });

  it('is what `rapport --version` prints', async () => {
    const printed = { code: 0, out: `${version}\n`, err: '' };
    expect(await rapport(['--version'], {})).toEqual(printed);
    expect(await rapportHere(['--version'], {})).toEqual(printed);
  });
});

it('is apart from the version of the SDK, which its own package has', () => {
  expect(released).not.toContain('src/sdk');
  expect(json<Package>('src/sdk/package.json').version).toBe(SDK_VERSION);
  expect(lock.packages['src/sdk']?.version).toBe(SDK_VERSION);
});
