import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What the engine calls a collection after which it also hands empty pages back to the system. */
const LAST_RESORT_GC = { type: 'major', execution: 'sync', flavor: 'last-resort' };

/** How often it is looked whether the process is at rest, in milliseconds. */
const CHECK_INTERVAL_MS = 60_000;
/** The part of that time in which a process at rest may have been busy. */
const MAX_IDLE_UTILIZATION = 0.02;
/** What a process must have grown by since it last gave back for it to be worth a collection, in bytes. */
const MIN_GROWTH_BYTES = 128 * 2 ** 20;

/**
 * Gives back what starting has left behind, or a load: loading modules leaves more garbage than the hub holds when it is
 * idle, and an idle process collects none of it. A plain collection would keep the empty pages for ten seconds more.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: typeof LAST_RESORT_GC) => void;
  collect(LAST_RESORT_GC);
}

/**
 * Gives memory back now, and from now on after each minute in which the process had next to nothing to do, if it has
 * grown since. The engine would do it by itself after eight seconds, and with it drop compiled code that the next
 * request needs; so `npm start` switches that off (`--no-memory-reducer`), and this stands for it.
 */
export function startIdleGc(): void {
  const idleGc = new IdleGc();
  idleGc.collect();
  setInterval(() => idleGc.collectIfIdle(), CHECK_INTERVAL_MS).unref();
}

/** What a process is doing, and what it holds. */
export interface ProcessProbe {
  /** The part of the time since the last question in which it was busy, 0 to 1. */
  utilization(): number;
  /** Resident memory in bytes. */
  residentBytes(): number;
  /** Collects, and gives the empty pages back. */
  collectGarbage(): void;
}

/** Decides when a process is to give memory back. */
export class IdleGc {
  private lastResidentBytes = 0;

  /** @param process default: this one */
  constructor(private readonly process: ProcessProbe = createProcessProbe()) {}

  /** Gives back, and remembers what is held after it. */
  collect(): void {
    this.process.collectGarbage();
    this.lastResidentBytes = this.process.residentBytes();
  }

  /** Gives back if the process was at rest since the last look and has grown since it last gave back. */
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
