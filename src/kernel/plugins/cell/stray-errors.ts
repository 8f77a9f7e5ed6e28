import { Logger } from '@nestjs/common';
import { redactedError } from '#kernel/egress/redacted-error.js';
import { pluginAtHand } from './attribution.js';

const log = new Logger('plugins');

/**
 * Catches what plugins throw where nobody waits for it: rejections that no handler awaits, and errors in timers and
 * listeners. They are logged with the plugin and the process goes on. Everything else ends the process as before.
 * @returns a function that stops it.
 */
export function catchStrayErrors(): () => void {
  const rejected = (reason: unknown): void => {
    if (!told(reason)) throw reason;
  };
  const thrown = (error: unknown): void => {
    if (!told(error)) endProcess(error);
  };
  process.on('unhandledRejection', rejected);
  process.on('uncaughtException', thrown);
  return () => {
    process.off('unhandledRejection', rejected);
    process.off('uncaughtException', thrown);
  };
}

function told(error: unknown): boolean {
  const plugin = pluginAtHand();
  if (plugin === undefined) return false;
  const err = redactedError(plugin.redact, error);
  log.error({ msg: `the plugin "${plugin.id}" failed outside of a handler`, plugin: plugin.id, err });
  return true;
}

/** What Node does with an error that nobody caught. */
function endProcess(error: unknown): void {
  console.error(error);
  process.exit(1);
}
