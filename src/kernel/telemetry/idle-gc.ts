import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PeriodicTimer } from '#kernel/scheduling/periodic-timer.js';

/** Garbage collection of V8 that also returns empty pages to the system. */
const LAST_RESORT_GC = { type: 'major', execution: 'sync', flavor: 'last-resort' };

/** How often the process is checked for idleness, in milliseconds. */
const CHECK_INTERVAL_MS = 60_000;
/** Maximum event loop utilization of an idle process, 0 to 1. */
const MAX_IDLE_UTILIZATION = 0.02;
/** Growth since the last collection that makes another one worthwhile, in bytes. */
const MIN_GROWTH_BYTES = 128 * 2 ** 20;

/**
 * Collects garbage and returns empty pages to the system. Loading modules leaves more garbage than an idle hub holds,
 * and an idle process does not collect it. A normal collection would keep the empty pages for ten more seconds.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: typeof LAST_RESORT_GC) => void;
  collect(LAST_RESORT_GC);
}

/**
 * Collects garbage now, and then after each minute in which the process was idle, if it has grown since. The engine
 * would do so after eight seconds, and also drop compiled code that the next request needs; so `npm start` disables
 * that (`--no-memory-reducer`), and this replaces it.
 */
export function startIdleGc(): void {
  const idleGc = new IdleGc();
  idleGc.collect();
  new PeriodicTimer({ intervalMs: CHECK_INTERVAL_MS, run: () => idleGc.collectIfIdle() }).start();
}

/** Measurements and actions of a process. */
export interface ProcessProbe {
  /** Returns the event loop utilization since the last call, 0 to 1. */
  utilization(): number;
  /** Returns the resident memory in bytes. */
  residentBytes(): number;
  /** Collects garbage and returns empty pages to the system. */
  collectGarbage(): void;
}

/** Decides when a process collects garbage. */
export class IdleGc {
  private lastResidentBytes = 0;

  /** @param process defaults to the current process */
  constructor(private readonly process: ProcessProbe = createProcessProbe()) {}

  /** Collects garbage and records the memory that remains. */
  collect(): void {
    this.process.collectGarbage();
    this.lastResidentBytes = this.process.residentBytes();
  }

  /** Collects garbage if the process was idle since the last check and has grown since the last collection. */
  collectIfIdle(): void {
    const isIdle = this.process.utilization() <= MAX_IDLE_UTILIZATION;
    if (isIdle && this.process.residentBytes() >= this.lastResidentBytes + MIN_GROWTH_BYTES) this.collect();
  }
}

function createProcessProbe(): ProcessProbe {
  let seen = performance.eventLoopUtilization();
  return {
    utilization: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, seen);
      seen = now;
      return utilization;
    },
    residentBytes: () => process.memoryUsage.rss(),
    collectGarbage: collectGarbage,
  };
}
