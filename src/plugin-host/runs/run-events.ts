import { setTimeout as pause } from 'node:timers/promises';
import { UNFINISHED } from './run.js';
import type { Run } from './runs.dto.js';

const POLL_INTERVAL_MS = 500;
/** How often a comment is sent when nothing changes, so that proxies keep the connection, in polls. */
const POLLS_PER_COMMENT = 30;
/** How long a stream lasts; clients connect again by themselves, in polls. */
const MAX_POLLS = 1_800;

/**
 * Yields server-sent events of a run: `run` with the run, at first and whenever it changes, until it has ended.
 * @param read returns the run; undefined if it is gone
 * @param isOpen returns false when the process is shutting down, so that clients connect to another one
 */
export async function* streamRunEvents(
  first: Run,
  read: () => Promise<Run | undefined>,
  isOpen: () => boolean,
): AsyncGenerator<string> {
  let current: Run | undefined = first;
  yield formatEvent(first);
  for (let poll = 1; poll <= MAX_POLLS && isOpen() && UNFINISHED.includes(current.status); poll++) {
    await pause(POLL_INTERVAL_MS);
    const previous: Run = current;
    current = await read();
    if (!current) return;
    if (JSON.stringify(current) !== JSON.stringify(previous)) yield formatEvent(current);
    else if (poll % POLLS_PER_COMMENT === 0) yield ': still running\n\n';
  }
}

function formatEvent(run: Run): string {
  return `event: run\nid: ${run.updated_at}\ndata: ${JSON.stringify(run)}\n\n`;
}
