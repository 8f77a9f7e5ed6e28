import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What the engine calls a collection after which it also hands empty pages back to the system. */
const ALL_THERE_IS = { type: 'major', execution: 'sync', flavor: 'last-resort' };

/** How often it is looked whether the process is at rest, in milliseconds. */
const LOOK_EVERY_MS = 60_000;
/** The part of that time in which a process at rest may have been busy. */
const BUSY_AT_REST = 0.02;
/** What a process must have grown by since it last gave back for it to be worth a collection, in bytes. */
const WORTH_BYTES = 128 * 2 ** 20;

/**
 * Gives back what starting has left behind, or a load: loading modules leaves more garbage than the hub holds when it is
 * idle, and an idle process collects none of it. A plain collection would keep the empty pages for ten seconds more.
 */
export function giveBackMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: typeof ALL_THERE_IS) => void;
  collect(ALL_THERE_IS);
}

/**
 * Gives memory back now, and from now on after each minute in which the process had next to nothing to do, if it has
 * grown since. The engine would do it by itself after eight seconds, and with it drop compiled code that the next
 * request needs; so `npm start` switches that off (`--no-memory-reducer`), and this stands for it.
 */
export function giveBackMemoryAtRest(): void {
  const memory = new MemoryAtRest();
  memory.giveBack();
  setInterval(() => memory.look(), LOOK_EVERY_MS).unref();
}

/** What a process is doing, and what it holds. */
export interface Process {
  /** The part of the time since the last question in which it was busy, 0 to 1. */
  busy(): number;
  /** Resident memory in bytes. */
  resident(): number;
  /** Collects, and gives the empty pages back. */
  giveBack(): void;
}

/** Decides when a process is to give memory back. */
export class MemoryAtRest {
  private held = 0;

  /** @param process default: this one */
  constructor(private readonly process: Process = thisProcess()) {}

  /** Gives back, and remembers what is held after it. */
  giveBack(): void {
    this.process.giveBack();
    this.held = this.process.resident();
  }

  /** Gives back if the process was at rest since the last look and has grown since it last gave back. */
  look(): void {
    const atRest = this.process.busy() <= BUSY_AT_REST;
    if (atRest && this.process.resident() >= this.held + WORTH_BYTES) this.giveBack();
  }
}

function thisProcess(): Process {
  let seen = performance.eventLoopUtilization();
  return {
    busy: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, seen);
      seen = now;
      return utilization;
    },
    resident: () => process.memoryUsage.rss(),
    giveBack: giveBackMemory,
  };
}
