import type { ToolLogLevel } from '#sdk/tool-context.js';
import type { CallChannel, CallOrigin } from './tool-context.js';

/** Per call, so it beats the header, which official clients can set per connection only. */
const IDEMPOTENCY_META = 'rapport/idempotencyKey';

/** What a leg knows of one `tools/call` and how it sends notices about it. */
export interface ChannelTransport {
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly signal: AbortSignal;
  notify(method: 'notifications/progress', params: Record<string, unknown>): Promise<void>;
  log(level: ToolLogLevel, message: string): Promise<void>;
}

/** Joins who calls with the way back to them. Notices are best effort: a lost client fails no tool. */
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
