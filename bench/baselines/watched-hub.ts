import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readEnv } from '#kernel/config/env.js';
import { createLogger } from '#kernel/telemetry/logger.js';
import { serve } from '../env/serve.ts';

/**
 * `open` starts the hub and tells its URL; `blocked` tells for how long, in milliseconds, nobody had a turn at most.
 * `watch` and `busiest` do so in milliseconds of processor time of the hub's thread between two turns of its loop: what
 * the delay would be on a quiet core, whatever else the machine does. The loop turns without a pause in between.
 */
export type WatchedJob = 'open' | 'blocked' | 'watch' | 'busiest';

const RESOLUTION_MS = 1;
const NS_PER_MS = 1_000_000;

let delay: ReturnType<typeof monitorEventLoopDelay> | undefined;

// The whole hub as npm start runs it, in a process that also watches the event loop.
serve<WatchedJob, string | number>(async job => {
  if (job === 'blocked') return blocked();
  if (job === 'watch') return watch();
  if (job === 'busiest') return busiest();
  const { startHub } = (await import(
    new URL('../../dist/hub.js', import.meta.url).href
  )) as typeof import('../../src/hub.js');
  const { url } = await startHub(readEnv({ ...process.env, PORT: '0' }), createLogger('warn'));
  return url;
});

const US_PER_MS = 1_000;
let probe: NodeJS.Immediate | undefined;
let last = 0;
let most = 0;

function watch(): number {
  most = 0;
  last = cpuUs();
  const look = () => {
    const now = cpuUs();
    most = Math.max(most, now - last);
    last = cpuUs();
    probe = setImmediate(look);
  };
  probe = setImmediate(look);
  return 0;
}

function busiest(): number {
  clearImmediate(probe);
  return most / US_PER_MS;
}

function cpuUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

function blocked(): number {
  const most = delay ? delay.max / NS_PER_MS - RESOLUTION_MS : 0;
  delay?.disable();
  delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  return most;
}
