import { PluginStore, PluginStoreSweeper } from '#plugin-host/store/plugin-store.js';
import type { TestHub } from '../../support/hub.js';
import { until } from '../../support/until.js';

/** Where the cases take place; filled in before they run. */
export interface Place {
  readonly hub: TestHub;
  readonly workspaceId: string;
}

/** What plugins keep. */
export function storeCases(place: () => Place): void {
  const owner = () => ({ workspaceId: place().workspaceId, plugin: 'test', connectionId: null });
  const storeOf = () => place().hub.app.get(PluginStore);
  it('lists by the beginning of keys, in the order of their bytes, both ways, page by page', async () => {
    const store = storeOf();
    const keys = ['a:1', 'a:10', 'a:2', 'a:B', 'a:b', 'a:ä', 'b:1'];
    expect(
      await store.write(
        owner(),
        keys.map(key => ({ key, value: key })),
      ),
    ).toBe(true);
    const listed = async (options: object) => (await store.list(owner(), 'a:', options)).map(({ key }) => key);
    const inOrder = keys.filter(key => key.startsWith('a:'));
    expect(await listed({})).toEqual(inOrder);
    expect(await listed({ reverse: true })).toEqual(inOrder.toReversed());
    expect(await listed({ after: 'a:10', limit: 2 })).toEqual(['a:2', 'a:B']);
    expect(await listed({ after: 'a:B', limit: 2, reverse: true })).toEqual(['a:2', 'a:10']);
  });

  it('does all changes, or none when a key is there that must be new', async () => {
    const store = storeOf();
    const wanted = [{ key: 'w:1', value: 1, mustBeNew: true }, { key: 'w:2', value: 2 }, { key: 'b:1' }];
    const outcomes = await Promise.all([1, 2, 3].map(() => store.write(owner(), wanted)));
    expect(outcomes.toSorted()).toEqual([false, false, true]);
    expect(
      await store.write(owner(), [
        { key: 'w:1', value: 9, mustBeNew: true },
        { key: 'w:3', value: 3 },
      ]),
    ).toBe(false);
    expect((await store.list(owner(), 'w:')).map(({ value }) => value)).toEqual([1, 2]);
    expect(await store.get(owner(), 'b:1')).toBeUndefined();
  });

  it('forgets what has expired, and takes its key for new', async () => {
    const store = storeOf();
    await store.write(owner(), [
      { key: 'x:1', value: 1, expiresInMs: 1 },
      { key: 'x:2', value: 2, expiresInMs: 60_000 },
    ]);
    await until('it is gone', async () => (await store.get(owner(), 'x:1')) === undefined);
    expect((await store.list(owner(), 'x:')).map(({ value }) => value)).toEqual([2]);
    expect(await place().hub.app.get(PluginStoreSweeper).sweep()).toBe(1);
    await store.write(owner(), [{ key: 'x:3', value: 3, expiresInMs: 1 }]);
    await until('it is gone', async () => (await store.get(owner(), 'x:3')) === undefined);
    expect(await store.write(owner(), [{ key: 'x:3', value: 4, mustBeNew: true }])).toBe(true);
    expect(await store.get(owner(), 'x:3')).toBe(4);
  });

  it('holds nothing under a key that no value can have, and refuses to write it', async () => {
    const store = storeOf();
    for (const key of ['', 'x'.repeat(201), 'a\0b']) {
      expect(await store.get(owner(), key)).toBeUndefined();
      expect(await store.getMany(owner(), [key])).toEqual(new Map());
      await expect(store.write(owner(), [{ key, value: 1 }])).rejects.toThrow('1 to 200 characters');
    }
  });

  it('gives the values of several keys at once, and leaves out those that are not there', async () => {
    const store = storeOf();
    await store.write(owner(), [
      { key: 'm:1', value: 1 },
      { key: 'm:2', value: [2], expiresInMs: 1 },
      { key: 'm:3', value: null },
    ]);
    await until('one is gone', async () => (await store.get(owner(), 'm:2')) === undefined);
    expect([...(await store.getMany(owner(), ['m:3', 'm:2', 'm:1', 'm:9']))].toSorted()).toEqual([
      ['m:1', 1],
      ['m:3', null],
    ]);
    expect(await store.getMany({ ...owner(), plugin: 'other' }, ['m:1'])).toEqual(new Map());
    const many = Array.from({ length: 1001 }, (_, n) => `m:${n}`);
    await expect(store.getMany(owner(), many)).rejects.toThrow('At most 1000');
  });
}
