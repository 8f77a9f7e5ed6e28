import type { ToolContext } from '#sdk/tool-context.js';
import type { ToolFilter } from './tool-filter.js';
import type { Caller } from '#kernel/auth/caller.js';

/** Who sent a call, and under which ids. Made once per HTTP request. */
export interface CallOrigin {
  readonly caller: Caller;
  /** The id that the logs carry, and that a failed call tells the model. */
  readonly requestId: string;
  /** The header `Idempotency-Key`, or `_meta["rapport/idempotencyKey"]` of the call, which wins. */
  readonly idempotencyKey?: string | undefined;
  /** The tools that the client wants to have; undefined for all. */
  readonly toolFilter?: ToolFilter | undefined;
}

/** The way back to the client while a call runs; each protocol leg provides its own. */
export interface CallChannel extends Pick<ToolContext, 'signal' | 'progress'> {
  /** Sends a log line to a client that takes them; never rejects. */
  sendLog(level: Parameters<ToolContext['log']>[0], message: string): Promise<void>;
}

/**
 * What the handlers of the core receive. Those of plugins get less: the plugin host leaves the caller out.
 */
export interface CoreToolContext extends ToolContext, CallOrigin {}

/** A tool's method, bound to its provider. The input has passed the tool's schema. */
export type ToolHandler = (input: never, context: CoreToolContext) => unknown;
