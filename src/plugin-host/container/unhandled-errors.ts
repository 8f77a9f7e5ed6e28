import { Logger } from '@nestjs/common';
import { redactError } from '#kernel/egress/redact-error.js';
import { getCurrentPlugin } from './current-plugin.js';

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
