import { AsyncLocalStorage } from 'node:async_hooks';
import type { Redactor } from '#kernel/egress/redactor.js';

/** The plugin whose code is running, with the redactor for the secrets that it received. */
export interface CurrentPlugin {
  readonly id: string;
  readonly redact: Redactor;
}

const currentPlugin = new AsyncLocalStorage<CurrentPlugin>();
const withoutRedaction: Redactor = text => text;

/** Runs code of a plugin. Asynchronous work that it starts is attributed to the plugin too, even after it returns. */
export function runAsPlugin<T>(id: string, work: () => T, redact = withoutRedaction): T {
  return currentPlugin.run({ id, redact }, work);
}

/** Returns the plugin whose code is running or started the running work; undefined outside of plugins. */
export function getCurrentPlugin(): CurrentPlugin | undefined {
  return currentPlugin.getStore();
}
