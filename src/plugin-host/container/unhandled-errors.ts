import { Logger } from '@nestjs/common';
import { redactError } from '#kernel/egress/redact-error.js';
import { getCurrentPlugin } from './current-plugin.js';

const log = new Logger('plugins');

/**
 * Catches what plugins throw where nobody waits for it: rejections that no handler awaits, and errors in timers and
 * listeners. They are logged with the plugin and the process goes on. Everything else ends the process as before.
 * @returns a function that stops it.
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

/** What Node does with an error that nobody caught. */
function exitWithError(error: unknown): void {
  console.error(error);
  process.exit(1);
}
