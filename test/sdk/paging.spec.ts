import { Injectable, Module } from '@nestjs/common';
import { findNextLink, type HubContext, OnJob, type PluginJob, type PluginManifest, readPages } from '#sdk/index.js';
import { testHub, type TestHub } from '#sdk/testing/index.js';

const manifest = {
  id: 'pages',
  displayName: 'Pages',
  description: 'Reads pages.',
  sdk: '^1.0.0',
  minPlan: 'starter',
  settings: {
    type: 'object',
    properties: { api_url: { type: 'string', format: 'uri', default: 'https://api.acme.io' } },
  },
  http: { baseUrl: 'settings.api_url' },
  jobs: { read: {} },
} as const satisfies PluginManifest;

@Injectable()
class Reader {
  @OnJob('read')
  async read({ data }: PluginJob<{ maxPages?: number }>, hub: HubContext): Promise<void> {
    const first = { url: '/calls', query: { limit: 2 } };
    const pages = readPages(
      hub.http,
      first,
      response => {
        const { next } = response.json<{ next: string | null }>();
        return next === null ? null : { ...first, query: { ...first.query, after: next } };
      },
      data,
    );
    const read: number[] = [];
    for await (const page of pages) read.push(page.json<{ n: number }>().n);
    await hub.store.put('read', read);
  }
}

@Module({ providers: [Reader] })
class PagesPlugin {}

let hub: TestHub;
beforeEach(async () => {
  hub = await testHub(PagesPlugin, manifest);
  hub.http.serve(({ url }) => {
    const n = Number(url.searchParams.get('after') ?? 0) + 1;
    return { status: 200, body: { n, next: n < 3 ? String(n) : null } };
  });
});
afterEach(() => hub.close());

describe('readPages', () => {
  it('reads one page after the other until there is none', async () => {
    await hub.job('read', {});
    expect(await hub.store.get('read')).toEqual([1, 2, 3]);
    expect(hub.http.sent.map(({ url }) => url.href)).toEqual([
      'https://api.acme.io/calls?limit=2',
      'https://api.acme.io/calls?limit=2&after=1',
      'https://api.acme.io/calls?limit=2&after=2',
    ]);
  });

  it('ends after a number of pages', async () => {
    await hub.job('read', { maxPages: 2 });
    expect(await hub.store.get('read')).toEqual([1, 2]);
  });

  it('fails where a provider returns the same page again', async () => {
    hub.http.serve(() => ({ status: 200, body: { n: 1, next: 'x' } }));
    await expect(hub.job('read', {})).rejects.toThrow('the same address as the page itself');
  });
});

it.each<[string | undefined, string | undefined]>([
  ['<https://a.io/x?page=2>; rel="next", <https://a.io/x?page=9>; rel="last"', 'https://a.io/x?page=2'],
  [
    '<https://a.io/x?ids=1,2&page=1>; rel=prev, <https://a.io/x?ids=1,2&page=3>; title="a"; rel="last next"',
    'https://a.io/x?ids=1,2&page=3',
  ],
  ['<https://a.io/x?page=9>; rel="last"', undefined],
  ['nonsense, <unclosed; rel="next"', undefined],
  [undefined, undefined],
])('the link after %s is %s', (link, url) => {
  expect(findNextLink({ headers: link === undefined ? {} : { link } })).toBe(url);
});
