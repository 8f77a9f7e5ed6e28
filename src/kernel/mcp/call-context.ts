import { Logger } from '@nestjs/common';
import type { ToolContext, ToolLogLevel } from '#sdk/tool.js';
import type { ToolFilter } from './tool-visibility.js';
import type { Caller } from '../auth/caller.js';

/** Caller and IDs of a call. Created once per HTTP request. */
export interface CallOrigin {
  readonly caller: Caller;
  /** The request ID in the logs, which a failed call also reports to the model. */
  readonly requestId: string;
  /** The header `Idempotency-Key`, or `_meta["rapport/idempotencyKey"]` of the call, which takes precedence. */
  readonly idempotencyKey?: string | undefined;
  /** Tools that the client has selected; undefined for all. */
  readonly toolFilter?: ToolFilter | undefined;
}

/** Channel to the client while a call runs; each protocol handler provides its own. */
export interface CallChannel extends Pick<ToolContext, 'signal' | 'progress'> {
  /** Sends a log message to a client that accepts them; never rejects. */
  sendLog(level: Parameters<ToolContext['log']>[0], message: string): Promise<void>;
}

/** The context of the core's handlers. The plugin host does not pass the caller on to plugins. */
export interface CoreToolContext extends ToolContext, CallOrigin {}

/** Method of a tool, bound to its provider. Its input is already validated. */
export type ToolHandler = (input: never, context: CoreToolContext) => unknown;

/**
 * Idempotency key of a single call. It takes precedence over the header, which official clients set per connection
 * only.
 */
const IDEMPOTENCY_META = 'rapport/idempotencyKey';

/** Functions and data of one `tools/call` that a protocol handler provides. */
interface ChannelTransport {
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly signal: AbortSignal;
  notify(method: 'notifications/progress', params: Record<string, unknown>): Promise<void>;
  log(level: ToolLogLevel, message: string): Promise<void>;
}

/**
 * Combines the origin of a call with the channel to its client. Notifications are best effort: a disconnected client
 * does not make a tool fail.
 */
export function openCallChannel(
  origin: CallOrigin,
  { meta, signal, notify, log }: ChannelTransport,
): CallOrigin & CallChannel {
  const token = meta?.['progressToken'];
  const key = meta?.[IDEMPOTENCY_META];
  let last = -Infinity;
  return {
    ...origin,
    ...(typeof key === 'string' && key !== '' && { idempotencyKey: key }),
    signal,
    progress: async (done, total, message) => {
      if (token === undefined || done <= last) return;
      last = done;
      const notice = { progressToken: token, progress: done, total, message };
      await notify('notifications/progress', notice).catch(ignore);
    },
    sendLog: (level, message) => log(level, message).catch(ignore),
  };
}

function ignore(): void {}

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
