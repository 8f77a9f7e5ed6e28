import type { ToolContext } from '#sdk/tool-context.js';
import type { ToolFilter } from './tool-filter.js';
import type { Caller } from '#kernel/auth/caller.js';

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
