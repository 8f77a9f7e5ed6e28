import { randomUUID } from 'node:crypto';
import type { Transaction } from '#kernel/db/transaction.js';
import type { UnitOfWork, WorkspaceLoader } from '#kernel/db/unit-of-work.js';
import { WorkspaceCache } from '#kernel/db/workspace-cache.js';

/** A unit of work whose system transactions end when the test says so. */
class HeldWork {
  readonly loaders: WorkspaceLoader[] = [];
  loadBeforeTransactions(loader: WorkspaceLoader): void {
    this.loaders.push(loader);
  }
  system<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return work({} as Transaction);
  }
}

/** Caches the texts that a test resolves, in the order of the reads. */
class TextCache extends WorkspaceCache<string> {
  readonly reads: PromiseWithResolvers<string>[] = [];
  protected query(): Promise<string> {
    const read = Promise.withResolvers<string>();
    this.reads.push(read);
    return read.promise;
  }
}

const open = () => {
  const work = new HeldWork();
  return { work, cache: new TextCache(work as unknown as UnitOfWork), workspace: randomUUID() };
};

describe('a cache of workspaces', () => {
  it('registers with the unit of work, and is loaded after its first read only', async () => {
    const { work, cache, workspace } = open();
    expect(work.loaders).toEqual([cache]);
    expect(cache.isLoaded(workspace)).toBe(false);
    expect(() => cache.get(workspace)).toThrow('no transaction');
    const reading = cache.read(workspace);
    cache.reads[0]!.resolve('first');
    expect(await reading).toBe('first');
    expect(cache.isLoaded(workspace)).toBe(true);
    expect(cache.isLoaded(randomUUID())).toBe(false);
    expect(await cache.read(workspace)).toBe('first');
    expect(cache.reads.length).toBe(1);
  });

  it('keeps the result of the read that began last', async () => {
    const { cache, workspace } = open();
    const early = cache.refresh(workspace);
    const late = cache.refresh(workspace);
    cache.reads[1]!.resolve('new');
    await late;
    cache.reads[0]!.resolve('old');
    await early;
    expect(cache.get(workspace)).toBe('new');
  });

  it('keeps the values of 10,000 workspaces', async () => {
    const { cache, workspace } = open();
    for (const each of [workspace, ...Array.from({ length: 10_000 }, () => randomUUID())]) {
      const reading = cache.refresh(each);
      cache.reads.at(-1)!.resolve(each);
      await reading;
    }
    expect(cache.isLoaded(workspace)).toBe(false);
  });
});
