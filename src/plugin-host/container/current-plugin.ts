import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import type { Redactor } from '#kernel/egress/redactor.js';
import { redactError } from '#kernel/egress/egress-errors.js';

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

const log = new Logger('plugins');

/**
 * Catches errors that plugins throw outside of awaited handlers: unhandled rejections, and errors in timers and
 * listeners. Logs them with the plugin's ID and keeps the process running. All other errors end the process, as Node
 * does by default.
 * @returns a function that removes the listeners
 */
export function captureUnhandledErrors(): () => void {
  const onRejection = (reason: unknown): void => {
    if (!logPluginError(reason)) throw reason;
  };
  const onException = (error: unknown): void => {
    if (!logPluginError(error)) exitWithError(error);
  };
  process.on('unhandledRejection', onRejection);
  process.on('uncaughtException', onException);
  return () => {
    process.off('unhandledRejection', onRejection);
    process.off('uncaughtException', onException);
  };
}

function logPluginError(error: unknown): boolean {
  const plugin = getCurrentPlugin();
  if (plugin === undefined) return false;
  const err = redactError(plugin.redact, error);
  log.error({ msg: `the plugin "${plugin.id}" failed outside of a handler`, plugin: plugin.id, err });
  return true;
}

/** Does what Node does by default with an uncaught error. */
function exitWithError(error: unknown): void {
  console.error(error);
  process.exit(1);
}
