import { setTimeout as pause } from 'node:timers/promises';
import type { ChangeListener } from './change-feed.service.js';

const POLL_INTERVAL_MS = 500;
/** How often a comment is sent when nothing changes, so that proxies keep the connection, in polls. */
const POLLS_PER_COMMENT = 30;
/** How long a stream lasts; clients connect again by themselves, in polls. */
const MAX_POLLS = 1_800;
/** How long clients wait before they connect again, in milliseconds. */
const RETRY_MS = 2_000;

/**
 * Yields server-sent events of a workspace: `open` at once, with the cursor behind which it begins, and `changes` whenever
 * something has changed.
 * @param isOpen returns false when the stream has to end: the client is gone, the process shuts down, or the key or session
 *   of the client has ended
 */
export async function* streamChanges(
  listener: ChangeListener,
  isOpen: () => boolean | Promise<boolean>,
): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\n${formatEvent('open', listener.cursor, { cursor: listener.cursor })}`;
  for (let poll = 1; poll <= MAX_POLLS && (await isOpen()); poll++) {
    const notices = listener.take();
    for (const notice of notices) yield formatEvent('changes', notice.cursor, notice);
    if (notices.length === 0 && poll % POLLS_PER_COMMENT === 0) yield ': nothing has changed\n\n';
    await pause(POLL_INTERVAL_MS);
  }
}

function formatEvent(name: string, cursor: string, data: object): string {
  return `event: ${name}\nid: ${cursor}\ndata: ${JSON.stringify(data)}\n\n`;
}
