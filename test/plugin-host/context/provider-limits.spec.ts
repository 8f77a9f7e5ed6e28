import fc from 'fast-check';
import { createLogger } from '#kernel/telemetry/logger.js';
import { isRetryLater, RetryLater } from '#sdk/errors.js';
import { HttpRules } from '#sdk/http-rules.js';
import type { HttpLimitManifest, HubHttp, PluginManifest } from '#sdk/index.js';
import { checkManifest } from '#sdk/manifest/check-manifest.js';
import { createHubHttp, PluginEgressClients } from '#plugin-host/context/plugin-http.js';
import { computePace, ProviderLimits } from '#plugin-host/context/provider-limits.js';
import { type Hub, startHub } from '../../../src/hub.js';
import { type FakeWeb, startFakeWeb } from '../../fakes/fake-web.js';
import { startTestHub, testEnv, type TestHub } from '../../support/hub.js';

const SETTINGS = { EGRESS_ALLOWLIST: '127.0.0.1' };

let hub: TestHub;
let second: Hub;
let web: FakeWeb;
/** When each request arrived, in milliseconds. */
const arrivals: number[] = [];
let status = 200;

beforeAll(async () => {
  hub = await startTestHub(SETTINGS);
  second = await startHub(testEnv(hub.database.url, SETTINGS), createLogger('silent'));
  web = await startFakeWeb((_, response) => {
    arrivals.push(performance.now());
    response.writeHead(status, { 'retry-after': '20' }).end();
  });
});
beforeEach(() => {
  arrivals.splice(0);
  status = 200;
});
afterAll(async () => {
  await second?.close();
  await hub?.end();
  await web?.close();
});

let count = 0;

/** A manifest of a plugin of its own, so that tests do not share limits. */
function manifestWith(limits: readonly HttpLimitManifest[]): PluginManifest {
  const id = `limited-${++count}`;
  const about = { displayName: 'Limited', description: 'x', sdk: '^1.0.0', minPlan: 'starter' } as const;
  return { id, ...about, http: { hosts: [new URL(web.url).host], limits } };
}

function httpOf(manifest: PluginManifest, { app }: Pick<Hub, 'app'> = hub, scope = 'c-1'): HubHttp {
  const rules = new HttpRules(manifest, { settings: {}, credentials: {} });
  return createHubHttp({
    client: app.get(PluginEgressClients, { strict: false }).clientFor(manifest.id),
    limits: app.get(ProviderLimits, { strict: false }).open(manifest, scope),
    rules,
    redact: text => text,
    signal: new AbortController().signal,
  });
}

/** Keeps the process from doing anything else. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Returns the largest number of times in any period of this length. */
function busiest(periodMs: number, times: readonly number[] = arrivals): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.max(...sorted.map(from => sorted.filter(at => at >= from && at < from + periodMs).length));
}

const get = (http: HubHttp, path = '/x') => http.request({ url: web.url + path, attempts: 1 });

it('no period has more requests than declared, whatever the number of processes and of requests at once', async () => {
  const manifest = manifestWith([{ requests: 20, perMs: 1_000 }]);
  const limits = [hub, second].map(({ app }) => app.get(ProviderLimits, { strict: false }).open(manifest, 'c-1')!);
  const { signal } = new AbortController();
  const turns = await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      await limits[i % 2]!.acquire(`${web.url}/x`, signal);
      return performance.now();
    }),
  );
  expect(busiest(1_000, turns)).toBeLessThanOrEqual(20);
});

it('a request whose turn has passed while the process stood still gets a new turn', async () => {
  const manifest = manifestWith([{ requests: 20, perMs: 1_000 }]);
  const limits = hub.app.get(ProviderLimits, { strict: false }).open(manifest, 'c-1')!;
  const { signal } = new AbortController();
  const turns: number[] = [];
  const requests = Array.from({ length: 20 }, async () => {
    await limits.acquire(`${web.url}/x`, signal);
    turns.push(performance.now());
    if (turns.length === 4) block(500);
  });
  await Promise.all(requests);
  expect(turns).toHaveLength(20);
  const { intervalMs, maxLateMs } = computePace({ requests: 20, perMs: 1_000 });
  const resumed = turns.filter(at => at >= turns[3]! + 500);
  // Of those whose turn passed in the meantime, only the ones that are not late by more than allowed are sent at once.
  const atOnce = resumed.filter(at => at - resumed[0]! < intervalMs / 2);
  expect(atOnce.length).toBeLessThanOrEqual(1 + maxLateMs / intervalMs);
});

it('requests of all processes wait for their turn before they are sent', async () => {
  const manifest = manifestWith([{ requests: 20, perMs: 1_000 }]);
  const clients = [httpOf(manifest), httpOf(manifest, second)];
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => get(clients[i % 2]!)));
  expect(answers).toHaveLength(30);
  expect(arrivals).toHaveLength(30);
  // The two at once come first, and each of the others at least one interval after the one before.
  const { atOnce, intervalMs } = computePace({ requests: 20, perMs: 1_000 });
  expect(Math.max(...arrivals) - startedAt).toBeGreaterThan((30 - atOnce - 1) * intervalMs);
});

it('the pace keeps the limit in every period, however the requests come', () => {
  const limits = fc
    .record({ requests: fc.integer({ min: 1, max: 40 }), perMs: fc.integer({ min: 100, max: 5_000 }) })
    .chain(limit =>
      fc.option(fc.integer({ min: 1, max: limit.requests })).map(atOnce => ({ ...limit, ...(atOnce && { atOnce }) })),
    );
  fc.assert(
    fc.property(limits, fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 200 }), (limit, gaps) => {
      const { atOnce, intervalMs } = computePace(limit);
      let [now, bookedUntil] = [0, 0];
      const sent = gaps.map(gap => {
        now += gap;
        bookedUntil = Math.max(bookedUntil, now) + intervalMs;
        return now + Math.max(0, bookedUntil - now - atOnce * intervalMs);
      });
      expect(busiest(limit.perMs, sent)).toBeLessThanOrEqual(limit.requests);
    }),
  );
});

it('each connection has its own turn, unless the limit is that of the operator', async () => {
  const own = manifestWith([{ requests: 1, perMs: 60_000 }]);
  await Promise.all(['c-1', 'c-2'].map(scope => get(httpOf(own, hub, scope))));
  const shared = manifestWith([{ requests: 1, perMs: 60_000, per: 'operator' }]);
  await get(httpOf(shared, hub, 'c-1'));
  await expect(get(httpOf(shared, second, 'c-2'))).rejects.toThrow(RetryLater);
  expect(arrivals).toHaveLength(3);
});

it('a request whose turn is far away fails with the time to wait, and books nothing', async () => {
  const manifest = manifestWith([{ requests: 1, perMs: 60_000 }]);
  await get(httpOf(manifest));
  for (let attempt = 0; attempt < 3; attempt++) {
    const error = await get(httpOf(manifest)).catch((thrown: unknown) => thrown);
    expect(isRetryLater(error) && error.afterMs).toBeGreaterThan(60_000 - 10_000);
    expect((error as RetryLater).afterMs).toBeLessThan(60_000 * 1.06);
  }
  expect(arrivals).toHaveLength(1);
});

it('several limits hold together, each for its paths', async () => {
  const manifest = manifestWith([
    { requests: 50, perMs: 60_000, atOnce: 50 },
    { requests: 1, perMs: 60_000, paths: ['/crm/objects/*/search'] },
  ]);
  const http = httpOf(manifest);
  await get(http, '/crm/objects/contacts/search');
  await expect(get(http, '/crm/objects/deals/search?q=1')).rejects.toThrow(RetryLater);
  for (const path of ['/crm/objects/contacts', '/crm/objects/a/b/search', '/search']) await get(http, path);
  expect(arrivals).toHaveLength(4);
});

it('a 429 holds back the requests of every process for as long as the provider says', async () => {
  const manifest = manifestWith([{ requests: 100, perMs: 1_000 }]);
  status = 429;
  expect((await get(httpOf(manifest))).status).toBe(429);
  status = 200;
  const error = await get(httpOf(manifest, second)).catch((thrown: unknown) => thrown);
  expect(isRetryLater(error) && error.afterMs).toBeGreaterThan(15_000);
  expect(arrivals).toHaveLength(1);
});

it('a request that is called off does not wait', async () => {
  const manifest = manifestWith([{ requests: 1, perMs: 4_000 }]);
  await get(httpOf(manifest));
  const controller = new AbortController();
  const limits = hub.app.get(ProviderLimits, { strict: false }).open(manifest, 'c-1')!;
  const waiting = limits.acquire(`${web.url}/x`, controller.signal);
  controller.abort();
  await expect(waiting).rejects.toThrow('called off');
});

it('the manifest is refused with more requests at once than the limit has', () => {
  expect(checkManifest(manifestWith([{ requests: 10, perMs: 1_000, atOnce: 10 }]))).toEqual([]);
  expect(checkManifest(manifestWith([{ requests: 10, perMs: 1_000, atOnce: 11 }])).join()).toContain('lower it');
});
