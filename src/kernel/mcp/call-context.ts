import { Logger } from '@nestjs/common';
import type { ToolLogLevel } from '#sdk/tool-context.js';
import type { CallChannel, CallOrigin, CoreToolContext } from './tool-context.js';

const LOGGER_METHOD = { debug: 'debug', info: 'log', warning: 'warn', error: 'error' } as const;
const logger = new Logger('mcp');

/**
 * Creates the context that a handler receives.
 * @param what the call for the log, such as `tool record`.
 */
export function createToolContext(what: string, call: CallOrigin & CallChannel): CoreToolContext {
  const { caller, requestId, idempotencyKey, signal, progress, sendLog } = call;
  const log = (level: ToolLogLevel, message: string, details?: object): void => {
    logger[LOGGER_METHOD[level]]({ ...details, msg: message, ...toLogField(what), request_id: requestId });
    void sendLog(level, message);
  };
  return { caller, requestId, idempotencyKey, signal, progress, log };
}

/** Logs a failed call; only at `debug` if the client has disconnected. */
export function logFailure(what: string, { requestId, signal }: CallOrigin & CallChannel, error: unknown): void {
  const [kind] = what.split(' ', 1);
  const report = { msg: `an MCP ${kind} failed`, ...toLogField(what), request_id: requestId, err: error };
  if (signal.aborted) logger.debug(report);
  else logger.error(report);
}

/** Converts `tool record` to the log field `tool: 'record'`. */
function toLogField(what: string): Record<string, string> {
  const space = what.indexOf(' ');
  return { [what.slice(0, space)]: what.slice(space + 1) };
}
