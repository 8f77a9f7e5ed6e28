import { PermanentError, RetryLater } from '#sdk/errors.js';
import type { HubEvent } from '#kernel/events/hub-event.js';
import type { ReadyPlugin } from '#plugin-host/host/plugin.registry.js';
import { toEventJobs } from '#plugin-host/surfaces/events/event.subscriber.js';
import { deliverBatch, PartialBatchFailureError } from '#plugin-host/jobs/event-batch.js';

const together = { batched: true } as const;
const { signal } = new AbortController();

/** What a handler was given, each time; it fails whenever one of `bad` is among it. */
function taking(...bad: number[]) {
  const calls: unknown[] = [];
  const call = async (first: unknown) => {
    calls.push(first);
    if ([first].flat().some(each => bad.includes(each as number))) throw new PermanentError(`not ${bad.join()}`);
  };
  return { calls, call };
}

describe('events that were gathered', () => {
  it('are handed over together', async () => {
    const { calls, call } = taking();
    await deliverBatch([1, 2, 3], together, call, signal);
    expect(calls).toEqual([[1, 2, 3]]);
  });

  it('are handed over each by itself when that fails, and those that fail again are left', async () => {
    const { calls, call } = taking(2, 4);
    const failure: unknown = await deliverBatch([1, 2, 3, 4], together, call, signal).catch(error => error);
    expect(failure).toBeInstanceOf(PartialBatchFailureError);
    expect(failure).toMatchObject({ failedIndexes: [1, 3], cause: expect.any(PermanentError) });
    expect(calls).toEqual([[1, 2, 3, 4], [1], [2], [3], [4]]);
  });

  it('wait together when the handler asks for it, and when the time is up', async () => {
    const later = new RetryLater(5);
    const calls: unknown[] = [];
    const call = async (first: unknown) => {
      calls.push(first);
      throw later;
    };
    await expect(deliverBatch([1, 2], together, call, signal)).rejects.toBe(later);
    const late = AbortSignal.abort(new Error('late'));
    const { call: fails } = taking(1);
    await expect(deliverBatch([1, 2], together, fails, late)).rejects.toBeInstanceOf(PermanentError);
    expect(calls).toEqual([[1, 2]]);
  });

  it('reach a handler that takes one at a time one at a time', async () => {
    const { calls, call } = taking();
    await deliverBatch([1, 2], {}, call, signal);
    expect(calls).toEqual([1, 2]);
  });
});

describe('the jobs for a plugin', () => {
  const plugin = {
    manifest: {},
    id: 'p',
    container: {
      handlers: {
        events: [
          { name: 'a', where: 'X.many', batched: true },
          { name: 'b', where: 'X.many', batched: true },
          { name: 'c', where: 'X.one' },
        ],
      },
    },
  } as unknown as ReadyPlugin;
  const events = (types: string) =>
    [...types].map((type, n) => ({ id: `e${n}`, type, payload: {}, occurredAt: n, workspaceId: 'w' }) as HubEvent);
  const idsOf = (payload: unknown) => [payload].flat().map(each => (each as HubEvent).id);

  it('are one for each event, and one for many where a method takes several', () => {
    const jobs = toEventJobs(plugin, { connectionIds: [null] }, events('acbca'));
    expect(jobs.map(({ name, payload }) => [name, ...idsOf(payload)])).toEqual([
      ['a', 'e0', 'e2', 'e4'],
      ['c', 'e1'],
      ['c', 'e3'],
    ]);
    expect(jobs.map(({ payload }) => Array.isArray(payload))).toEqual([true, false, false]);
  });

  it('hold a hundred events at most, and have the same ids at every call', () => {
    const all = events('a'.repeat(250));
    const jobs = toEventJobs(plugin, { connectionIds: [null] }, all);
    expect(jobs.map(({ payload }) => (payload as unknown[]).length)).toEqual([100, 100, 50]);
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(3);
    expect(toEventJobs(plugin, { connectionIds: [null] }, all)).toEqual(jobs);
  });
});
