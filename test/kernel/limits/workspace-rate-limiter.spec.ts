import fc from 'fast-check';
import { computeRequestCost, WorkspaceRateLimiter } from '#kernel/limits/rate-limit.guard.js';
import { SharedCounters } from '#kernel/limits/shared-counters.js';
import type { UsageStore } from '#kernel/limits/usage-store.js';
import { LocalUsageStore } from '../../support/local-usage.store.js';

const LIMIT = 100;
const WINDOW_MS = 5_000;
const START = 1_000 * WINDOW_MS;
const caller = { workspaceId: 'w-1', plan: 'starter', actor: { kind: 'key', id: 'k-1' } } as const;
const person = { ...caller, actor: { kind: 'person', id: 'u-1' } } as const;

function openProcess(store: UsageStore) {
  const counters = new SharedCounters(store);
  const limiter = new WorkspaceRateLimiter({ rateLimits: { starter: 20, growth: 100, scale: 0 } }, counters);
  const admit = (times: number, { cost = 1, at = START } = {}) =>
    Array.from({ length: times }, () => limiter.consume(caller, cost, at)).filter(usage => usage!.isAdmitted).length;
  return { counters, limiter, admit };
}

describe('the rate limit of a workspace', () => {
  it('holds over processes after they exchanged their counters', async () => {
    const store = new LocalUsageStore();
    const [one, two] = [openProcess(store), openProcess(store)];
    expect([one.admit(40), two.admit(40)]).toEqual([40, 40]);
    await one.counters.run();
    await two.counters.run();
    expect(two.admit(LIMIT)).toBe(LIMIT - 80);
    await two.counters.run();
    one.admit(1);
    await one.counters.run();
    expect(one.admit(LIMIT)).toBe(0);
  });

  it('counts in each process while the store is away, and shares what was counted later', async () => {
    const store = new LocalUsageStore();
    let isAway = true;
    const broken: UsageStore = {
      add: deltas => (isAway ? Promise.reject(new Error('away')) : store.add(deltas)),
      close: () => undefined,
    };
    const process = openProcess(broken);
    expect(process.admit(LIMIT + 20)).toBe(LIMIT);
    await expect(process.counters.run()).rejects.toThrow('away');
    expect(process.admit(1)).toBe(0);
    isAway = false;
    expect(await process.counters.run()).toBe(1);
    expect(process.admit(1)).toBe(0);
  });

  it('charges what a request exceeds to the next windows', () => {
    const { admit } = openProcess(new LocalUsageStore());
    expect(admit(1, { cost: 2.5 * LIMIT })).toBe(1);
    expect(admit(1)).toBe(0);
    expect(admit(1, { at: START + WINDOW_MS })).toBe(0);
    expect(admit(LIMIT, { at: START + 2 * WINDOW_MS })).toBe(LIMIT / 2);
    expect(admit(LIMIT + 1, { at: START + 3 * WINDOW_MS })).toBe(LIMIT);
  });

  it('counts people apart, so that a busy program shuts nobody out, nor the other way round', () => {
    const { limiter, admit } = openProcess(new LocalUsageStore());
    expect(admit(1, { cost: 2.5 * LIMIT })).toBe(1);
    expect(admit(1)).toBe(0);
    expect(limiter.consume(person, 1.2 * LIMIT, START)?.isAdmitted).toBe(true);
    const colleague = { ...person, actor: { kind: 'person', id: 'u-2' } } as const;
    expect(limiter.consume(colleague, 1, START)?.isAdmitted).toBe(false);
    expect(limiter.consume(person, 1, START + WINDOW_MS)?.remaining).toBe(LIMIT - 0.2 * LIMIT - 1);
    expect(admit(1, { at: START + WINDOW_MS })).toBe(0);
  });

  it('is paid off by idle windows', () => {
    const { admit } = openProcess(new LocalUsageStore());
    admit(1, { cost: 2 * LIMIT });
    expect(admit(LIMIT + 1, { at: START + 4 * WINDOW_MS })).toBe(LIMIT);
  });

  it('is not there for a plan without one', () => {
    const { limiter } = openProcess(new LocalUsageStore());
    expect(limiter.consume({ ...caller, plan: 'scale' }, 1)).toBeUndefined();
  });
});

describe('the cost of a request', () => {
  const call = (rows: number) => ({ method: 'tools/call', params: { arguments: { rows: Array(rows).fill(0) } } });
  it.each<[string, unknown, number, number]>([
    ['a read', undefined, 0, 1],
    ['one observation', { observations: [{}] }, 200, 1],
    ['a thousand observations', { observations: Array.from({ length: 1000 }, () => ({})) }, 64 * 1024, 12],
    ['a batch of three calls', [{}, {}, {}], 300, 3],
    ['an empty batch', [], 2, 1],
    ['a call with rows', call(250), 10, 3],
    ['a batch of calls with rows', [call(250), call(50)], 10, 5],
    ['an upload', undefined, 50 * 1024 * 1024, 801],
  ])('of %s', (_, body, bytes, cost) => expect(computeRequestCost(body, bytes)).toBe(cost));

  it.each<[string, unknown, unknown, number]>([
    ['a page of 1000', undefined, '1000', 11],
    ['a page of 99', undefined, '99', 1],
    ['a page that no operation allows', undefined, '1e9', 11],
    ['a page of a tool', { params: { arguments: { limit: 200 } } }, undefined, 3],
    ['a page of a body', { limit: 100 }, undefined, 2],
    ['a limit that is no number', { limit: 'all' }, 'all', 1],
    ['a negative limit', { limit: -1000 }, '-1000', 1],
  ])('counts the rows asked for by %s', (_, body, limit, cost) =>
    expect(computeRequestCost(body, 0, limit)).toBe(cost),
  );

  it('is a whole number of at least 1 for any body', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), fc.anything(), (body, bytes, limit) => {
        const cost = computeRequestCost(body, bytes, limit);
        expect(Number.isInteger(cost) && cost >= 1).toBe(true);
      }),
    );
  });
});
