import { AsyncLocalStorage } from 'node:async_hooks';

const atHand = new AsyncLocalStorage<string>();

/** Runs code of a plugin: whatever it sets off, also after it has ended, is known to be of this plugin. */
export function inPlugin<T>(id: string, work: () => T): T {
  return atHand.run(id, work);
}

/** The plugin whose code is at hand, or has set off what is. */
export function pluginAtHand(): string | undefined {
  return atHand.getStore();
}
