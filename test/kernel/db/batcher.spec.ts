import { Batcher } from '#kernel/db/batcher.js';
import { setImmediate as turn } from 'node:timers/promises';
import { until } from '../../support/until.js';

const LIMITS = { maxConcurrent: 3, maxBatch: 64, maxWeight: 1000, lingerMs: 2, timeoutMs: 10_000 };

/** A batcher whose transactions end when the test says so. */
function held() {
  const batches: { readonly calls: readonly string[]; end(): void }[] = [];
  const batcher = new Batcher<string, string>((_, calls) => {
    const { promise, resolve } = Promise.withResolvers<{ result: string }[]>();
    batches.push({ calls, end: () => resolve(calls.map(call => ({ result: call }))) });
    return promise;
  }, LIMITS);
  const submit = (call: string, weight = 1) => batcher.submit('acme', call, weight);
  return { begun: batches, submit };
}

describe('calls that arrive together', () => {
  it('sends a lone item at once, and again after its response', async () => {
    const { begun: startedAt, submit } = held();
    const first = submit('first');
    expect(startedAt.map(({ calls }) => calls)).toEqual([['first']]);
    startedAt[0]!.end();
    expect(await first).toBe('first');
    void submit('second');
    await turn();
    expect(startedAt.map(({ calls }) => calls)).toEqual([['first'], ['second']]);
  });

  it('wait for the transaction that works, and for those it answers, who come back', async () => {
    const { begun: started, submit } = held();
    const callers = ['a', 'b', 'c', 'd'];
    const comeBack = callers.map(async caller => {
      for (let i = 0; i < 3; i++) await submit(caller);
    });
    expect(started.map(({ calls }) => calls)).toEqual([['a']]);
    started[0]!.end();
    await until('the others are written, with who has come back', () => started.length === 2);
    expect(started[1]!.calls.toSorted()).toEqual(callers);
    for (let i = 1; i < 4; i++) {
      await until('all are written together', () => started.length === i + 1);
      started[i]!.end();
    }
    await Promise.all(comeBack);
    expect(started.length).toBe(4);
  });

  it('do not wait for one that is stuck, nor for callers who stay away', async () => {
    const { begun: openBatches, submit } = held();
    const stuck = submit('stuck');
    const other = submit('other');
    await until('a second transaction has begun', () => openBatches.length === 2);
    openBatches[1]!.end();
    expect(await other).toBe('other');
    const late = submit('late');
    await until('a third one has begun', () => openBatches.length === 3);
    openBatches[0]!.end();
    openBatches[2]!.end();
    expect(await Promise.all([stuck, late])).toEqual(['stuck', 'late']);
  });

  it('begin at once beside others where many wait', () => {
    const { begun: openBatches, submit } = held();
    void submit('first');
    for (let i = 0; i < 16; i++) void submit(`${i}`);
    expect(openBatches.map(({ calls }) => calls.length)).toEqual([1, 16]);
  });

  it('begin beside others only with as many as those hold', () => {
    const { begun: openBatches, submit } = held();
    for (let i = 0; i < 33; i++) void submit(`${i}`);
    expect(openBatches.map(({ calls }) => calls.length)).toEqual([1, 16]);
    void submit('as many as the others');
    expect(openBatches.map(({ calls }) => calls.length)).toEqual([1, 16, 17]);
  });

  it('begin at once beside others when they fill a transaction by their weight', () => {
    const { begun: openBatches, submit } = held();
    void submit('small');
    void submit('large', 600);
    expect(openBatches.map(({ calls }) => calls)).toEqual([['small']]);
    void submit('larger', 700);
    expect(openBatches.map(({ calls }) => calls)).toEqual([['small'], ['large']]);
    void submit('largest', 1000);
    expect(openBatches.map(({ calls }) => calls)).toEqual([['small'], ['large'], ['larger']]);
  });
});
