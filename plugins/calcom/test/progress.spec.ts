import { TestStore } from '@rapport/plugin-sdk/testing';
import { addTask, nextTask, readProgress, finishPage } from '../src/backfill-queue.js';
import type { Hub } from '../src/plugin.js';

/** A hub whose store does something by itself before its n-th read, as another process would. */
function interleave(store: TestStore, reads: number, act: () => Promise<void>): Hub {
  let left = reads;
  const first =
    <Arguments extends unknown[], Result>(read: (...words: Arguments) => Promise<Result>) =>
    async (...words: Arguments) => {
      if (left-- === 0) await act();
      return read(...words);
    };
  const seen = { get: first(store.get.bind(store)), list: first(store.list.bind(store)) };
  return { store: seen } as unknown as Hub;
}

it.each([0, 1, 2])(
  'a backfill that ends while it is looked at has counted everybody once it is done: read %i',
  async n => {
    const store = new TestStore();
    const hub = { store } as unknown as Hub;
    await addTask(hub, 'run', 'ada@example.org');
    const watched = interleave(store, n, async () => finishPage(hub, (await nextTask(hub))!, { activities: 1 }));

    const { status, contacts_done } = (await readProgress(watched, 'run'))!;

    expect(status === 'done' ? contacts_done : 1).toBe(1);
  },
);
