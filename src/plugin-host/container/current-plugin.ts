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

/** Key under which a hub context carries the redactor of its secrets. */
const REDACTOR = Symbol('redactor');

/** Attaches the redactor of its secrets to a hub context, where the plugin cannot enumerate it. */
export function attachRedactor(hub: object, redact: Redactor): void {
  Object.defineProperty(hub, REDACTOR, { value: redact });
}

/** Returns the redactor of the hub context among the arguments of a handler; without one, texts stay unchanged. */
export function findRedactor(args: readonly unknown[]): Redactor {
  for (const arg of args) {
    if (typeof arg !== 'object' || arg === null) continue;
    const { [REDACTOR]: redact } = arg as { readonly [REDACTOR]?: Redactor };
    if (redact) return redact;
  }
  return withoutRedaction;
}
