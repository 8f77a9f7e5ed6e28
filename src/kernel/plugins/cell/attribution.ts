import { AsyncLocalStorage } from 'node:async_hooks';
import type { Redactor } from '#kernel/egress/redactor.js';

/** Whose code runs, and what takes the secrets out that it was given. */
export interface PluginAtHand {
  readonly id: string;
  readonly redact: Redactor;
}

const atHand = new AsyncLocalStorage<PluginAtHand>();
const unchanged: Redactor = text => text;

/** Runs code of a plugin: whatever it sets off, also after it has ended, is known to be of this plugin. */
export function inPlugin<T>(id: string, work: () => T, redact = unchanged): T {
  return atHand.run({ id, redact }, work);
}

/** The plugin whose code is at hand, or has set off what is. */
export function pluginAtHand(): PluginAtHand | undefined {
  return atHand.getStore();
}
