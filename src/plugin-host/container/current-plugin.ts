import { AsyncLocalStorage } from 'node:async_hooks';
import type { Redactor } from '#kernel/egress/redactor.js';

/** Whose code runs, and what takes the secrets out that it was given. */
export interface CurrentPlugin {
  readonly id: string;
  readonly redact: Redactor;
}

const currentPlugin = new AsyncLocalStorage<CurrentPlugin>();
const withoutRedaction: Redactor = text => text;

/** Runs code of a plugin: whatever it sets off, also after it has ended, is known to be of this plugin. */
export function runAsPlugin<T>(id: string, work: () => T, redact = withoutRedaction): T {
  return currentPlugin.run({ id, redact }, work);
}

/** The plugin whose code is at hand, or has set off what is. */
export function getCurrentPlugin(): CurrentPlugin | undefined {
  return currentPlugin.getStore();
}
