import fc from 'fast-check';
import { assignWorkspace, runInRequest } from '#kernel/request-context.js';
import {
  CooperativeScheduler,
  flatMapYielding,
  ITEM_UNITS,
  mapYielding,
  MAX_SLICE_UNITS,
  WorkSlice,
} from '#kernel/scheduling/cooperative-scheduler.js';

/** Runs work as a request of a workspace. */
function asRequest<T>(scheduler: CooperativeScheduler, workspace: string, work: () => Promise<T>): Promise<T> {
  return runInRequest({ requestId: 'r', deadline: Infinity, scheduler }, () => {
    assignWorkspace(workspace);
    return work();
  });
}

describe('CooperativeScheduler', () => {
  it('grants one turn in each turn of the event loop, however many wait', async () => {
    const scheduler = new CooperativeScheduler();
    const turns = Array.from({ length: 20 }, (_, i) => scheduler.turn(`workspace ${i}`));
    for (let loop = 1; loop <= 20; loop++) {
      await new Promise(setImmediate);
      expect(scheduler.turnsGranted).toBeLessThanOrEqual(loop);
    }
    await Promise.all(turns);
    expect(scheduler.turnsGranted).toBe(20);
  });

  it('rotates between workspaces, so that one with much work does not delay the others', async () => {
    const scheduler = new CooperativeScheduler();
    const order: string[] = [];
    const ask = (owner: string) => scheduler.turn(owner).then(() => order.push(owner));
    await Promise.all(['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(ask));
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a']);
  });

  it('serves the requests of one workspace in their order', async () => {
    const scheduler = new CooperativeScheduler();
    const order: number[] = [];
    await Promise.all([0, 1, 2, 3].map(i => scheduler.turn('a').then(() => order.push(i))));
    expect(order).toEqual([0, 1, 2, 3]);
  });
});

describe('mapYielding', () => {
  it('maps as Array.map does, in slices that are no larger than allowed', async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: MAX_SLICE_UNITS }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(sizes, async list => {
        const scheduler = new CooperativeScheduler();
        const double = (each: number, i: number) => [each * 2, i];
        const mapped = await asRequest(scheduler, 'a', () => mapYielding(list, double, size => size));
        expect(mapped).toEqual(list.map(double));
        expect(scheduler.largestSlice).toBeLessThanOrEqual(MAX_SLICE_UNITS);
      }),
    );
  });

  it('makes an item that is larger than a slice a slice of its own', async () => {
    const scheduler = new CooperativeScheduler();
    const list = [1, MAX_SLICE_UNITS + 5, 1];
    await asRequest(scheduler, 'a', () =>
      flatMapYielding(
        list,
        each => [each],
        size => size,
      ),
    );
    expect(scheduler.largestSlice).toBe(MAX_SLICE_UNITS + 5);
  });

  it('takes at most a thousand items of no known size in one slice', async () => {
    const scheduler = new CooperativeScheduler();
    await asRequest(scheduler, 'a', () => mapYielding(Array.from({ length: 10_000 }), () => 0));
    expect(scheduler.largestSlice).toBeLessThanOrEqual(MAX_SLICE_UNITS);
    expect(scheduler.turnsGranted).toBeGreaterThanOrEqual(Math.floor((10_000 * ITEM_UNITS) / MAX_SLICE_UNITS));
  });

  it('works outside of a request', async () => {
    expect(await mapYielding([1, 2, 3], each => each + 1)).toEqual([2, 3, 4]);
  });
});

describe('WorkSlice', () => {
  it('counts the item that did not fit into the next slice', async () => {
    const scheduler = new CooperativeScheduler();
    await asRequest(scheduler, 'a', async () => {
      const slice = new WorkSlice();
      expect(slice.isFull(MAX_SLICE_UNITS - 1)).toBe(false);
      expect(slice.isFull(2)).toBe(true);
      await slice.yield();
      slice.end();
    });
    expect(scheduler.largestSlice).toBe(MAX_SLICE_UNITS - 1);
  });
});
