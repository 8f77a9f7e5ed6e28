import { Logger } from '@nestjs/common';
import type { ToolLogLevel } from '#sdk/context.js';
import type { CallLink, CallOrigin, CoreToolContext } from './tool.context.js';

const LOGGER_METHOD = { debug: 'debug', info: 'log', warning: 'warn', error: 'error' } as const;
const logger = new Logger('mcp');

/** What a handler receives about its call. `what` is for the log: `tool record`. */
export function contextOf(what: string, call: CallOrigin & CallLink): CoreToolContext {
  const { caller, requestId, idempotencyKey, signal, progress, tell } = call;
  const log = (level: ToolLogLevel, message: string, details?: object): void => {
    logger[LOGGER_METHOD[level]]({ ...details, msg: message, ...named(what), request_id: requestId });
    void tell(level, message);
  };
  return { caller, requestId, idempotencyKey, signal, progress, log };
}

/** Puts what failed into the log; whoever has left is no failure of ours. */
export function reportFailure(what: string, { requestId, signal }: CallOrigin & CallLink, error: unknown): void {
  const [word] = what.split(' ', 1);
  const report = { msg: `an MCP ${word} failed`, ...named(what), request_id: requestId, err: error };
  if (signal.aborted) logger.debug(report);
  else logger.error(report);
}

/** `tool record` as a field of the log. */
function named(what: string): Record<string, string> {
  const space = what.indexOf(' ');
  return { [what.slice(0, space)]: what.slice(space + 1) };
}
