import type { ToolLogLevel } from '#sdk/tool-context.js';
import type { CallChannel, CallOrigin } from './tool-context.js';

/**
 * Idempotency key of a single call. It takes precedence over the header, which official clients set per connection
 * only.
 */
const IDEMPOTENCY_META = 'rapport/idempotencyKey';

/** Functions and data of one `tools/call` that a protocol handler provides. */
export interface ChannelTransport {
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
