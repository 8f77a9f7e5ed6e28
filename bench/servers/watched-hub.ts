import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readEnv } from '#kernel/config/env.js';
import { openLog } from '#kernel/telemetry/logger.js';
import { serve } from '../stage/serve.ts';

/** `open` starts the hub and tells its URL; `blocked` tells for how long, in milliseconds, nobody had a turn at most. */
export type WatchedJob = 'open' | 'blocked';

const RESOLUTION_MS = 1;
const NS_PER_MS = 1_000_000;

let delay: ReturnType<typeof monitorEventLoopDelay> | undefined;

// The whole hub as npm start runs it, in a process that also watches the event loop.
serve<WatchedJob, string | number>(async job => {
  if (job === 'blocked') return blocked();
  const { startHub } = (await import(
    new URL('../../dist/hub.js', import.meta.url).href
  )) as typeof import('../../src/hub.js');
  const { url } = await startHub(readEnv({ ...process.env, PORT: '0' }), openLog('warn'));
  return url;
});

function blocked(): number {
  const most = delay ? delay.max / NS_PER_MS - RESOLUTION_MS : 0;
  delay?.disable();
  delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  return most;
}
