import { Injectable, Module } from '@nestjs/common';
import { Lifecycle, OnJob } from '#sdk/decorators.js';
import type { HubContext } from '#sdk/hub-context.js';
import type { ConnectionLifecycle, MigratedValues, StoredValues, TestResult } from '#sdk/lifecycle.js';
import type { PluginManifest } from '#sdk/index.js';
import { readPages } from '#sdk/paging.js';
import { conformance, type FakeProvider, type Fixtures, testHub } from '#sdk/testing/index.js';
import { testIdentity } from '../support/plugins/test-identity.js';

const manifest: PluginManifest = {
  id: 'paged',
  displayName: 'Paged',
  description: 'Reads lists.',
  sdk: '^1.0.0',
  minPlan: 'starter',
  credentials: { type: 'object', required: ['api_key'], properties: { api_key: { type: 'string', secret: true } } },
  settings: { type: 'object', properties: { days: { type: 'integer', default: 30 } } },
  http: { baseUrl: 'https://api.paged.example', auth: { credential: 'api_key' } },
  jobs: { sync: {} },
};

/** What the plugin of a check does; each is right unless a test says otherwise. */
const behaviour = { pages: 2, factor: () => 1, hasMigrate: true };

@Lifecycle()
@Injectable()
class PagedPlugin implements ConnectionLifecycle {
  migrate?: ConnectionLifecycle['migrate'];

  constructor() {
    if (behaviour.hasMigrate) this.migrate = stored => this.convert(stored);
  }

  test({ http }: HubContext): Promise<TestResult> {
    return testIdentity(http);
  }

  async connect(): Promise<void> {}

  async disconnect(): Promise<void> {}

  @OnJob('sync')
  async sync(_: unknown, { http }: HubContext): Promise<void> {
    const first = { url: '/calls', auth: 'connection' } as const;
    const pages = readPages(
      http,
      first,
      response => {
        const { next } = response.json<{ next: string | null }>();
        return next === null ? null : { ...first, query: { after: next } };
      },
      { maxPages: behaviour.pages },
    );
    for await (const page of pages) page.json();
  }

  private convert({ settings, credentials }: StoredValues): MigratedValues {
    return { settings: { days: Number(settings['weeks']) * 7 * behaviour.factor() }, credentials };
  }
}

@Module({ providers: [PagedPlugin] })
class PagedModule {}

@Injectable()
class FreePlugin {
  @OnJob('sync')
  async sync(): Promise<void> {}
}

@Module({ providers: [FreePlugin] })
class FreeModule {}

/** A list of two pages. */
function pagedProvider(): FakeProvider {
  const read = new Set<string>();
  return {
    answer: ({ url }) => {
      if (url.pathname === '/me') return { status: 200 };
      const after = url.searchParams.get('after') ?? '';
      read.add(after);
      return { status: 200, body: { calls: [], next: after === '' ? 'c-2' : null } };
    },
    pagesRead: () => read.size,
  };
}

const fixtures: Fixtures = {
  provider: pagedProvider,
  jobs: { sync: null },
  stored: [{ version: '1.4.0', settings: { weeks: 2 }, credentials: { api_key: 'k' } }],
  paging: { provider: pagedProvider, read: hub => hub.job('sync') },
};

async function complaints(given: Fixtures = fixtures): Promise<Record<string, string>> {
  const problems: Record<string, string> = {};
  for (const { name, run } of conformance(PagedModule, manifest, given)) {
    await run().catch((error: Error) => (problems[name] = error.message));
  }
  return problems;
}

beforeEach(() => void Object.assign(behaviour, { pages: 2, factor: () => 1, hasMigrate: true }));

it('a plugin that converts its values and reads every page passes', async () => {
  expect(await complaints()).toEqual({});
});

it('values that do not convert, or each time to others, are found', async () => {
  const name = 'values of version 1.4.0 are converted, each time to the same';
  const stored = [{ version: '1.4.0', settings: {}, credentials: { api_key: 'k' } }];
  expect((await complaints({ ...fixtures, stored }))[name]).toContain('days');
  let call = 1;
  behaviour.factor = () => call++;
  expect(await complaints()).toEqual({ [name]: expect.stringContaining('the second time') as string });
});

it('a plugin with migrate has to show what its older versions stored', async () => {
  const { stored: _, ...without } = fixtures;
  const name = 'values of an older version are converted';
  expect(await complaints(without)).toEqual({ [name]: expect.stringContaining('fixtures.stored') as string });
  behaviour.hasMigrate = false;
  expect(await complaints(without)).toEqual({});
});

it('without its connection nothing of it is reachable', async () => {
  const hub = await testHub(PagedModule, manifest);
  expect([hub.connected, await hub.job('sync').catch(() => 'reached')]).toEqual([true, 'reached']);
  hub.connected = false;
  expect([hub.connected, await hub.job('sync')]).toEqual([false, false]);
  const names = conformance(PagedModule, manifest, fixtures).map(({ name }) => name);
  expect(names).toContain('without the connection that it needs nothing is reachable');
});

it('a plugin that needs no connection has none to lose', async () => {
  const { credentials: _, ...rest } = manifest;
  const hub = await testHub(FreeModule, { ...rest, http: { baseUrl: 'https://api.paged.example' } });
  hub.connected = false;
  expect([hub.connected, await hub.job('sync')]).toEqual([true, true]);
  await hub.close();
});

it('a page that is left out is found', async () => {
  behaviour.pages = 1;
  expect(await complaints()).toEqual({
    'a list of two pages is read to its end': 'Of a list of two pages 1 were read: follow the next page.',
  });
});
