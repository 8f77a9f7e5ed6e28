import { LRUCache } from 'lru-cache';
import type { OnApplicationShutdown } from '@nestjs/common';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import type { UsageDelta, UsageStore } from './usage-store.js';

const SYNC_INTERVAL_MS = 500;
/** Counters of this process; those that were not used for longest are forgotten first. */
const MAX_COUNTERS = 20_000;
const MAX_PER_SYNC = 1_000;

/** A counter of a workspace and period. */
interface Counter {
  readonly workspaceId: string;
  readonly name: string;
  readonly period: number;
  readonly ttlMs: number;
  /** Total of all processes at the last exchange. */
  total: number;
  /** What this process counted since. */
  pending: number;
}

/** Names a counter. */
export type CounterRef = Omit<UsageDelta, 'amount'>;

/**
 * Counts what workspaces use, in memory at once and in a store that all processes share twice a second. A decision is
 * made on the total of the last exchange and on what this process counted since, so a request never waits for the
 * store, and several processes together exceed a limit by at most what they admit in half a second. While the store is
 * away each process counts by itself.
 */
export class SharedCounters extends PeriodicTask implements OnApplicationShutdown {
  private readonly counters = new LRUCache<string, Counter>({ max: MAX_COUNTERS });

  constructor(private readonly store: UsageStore) {
    super({
      intervalMs: SYNC_INTERVAL_MS,
      loggerName: 'limits',
      failureMessage: 'Limits are counted in this process only',
    });
  }

  /** Returns what all processes used, as far as this one knows. */
  read(ref: CounterRef): number {
    const counter = this.counters.get(toKey(ref));
    return counter ? counter.total + counter.pending : 0;
  }

  /** Counts an amount. */
  add(ref: CounterRef, amount: number): void {
    const key = toKey(ref);
    const counter = this.counters.get(key);
    if (counter) counter.pending += amount;
    else this.counters.set(key, { ...ref, total: 0, pending: amount });
  }

  /** Exchanges counters with the store. @returns the number of counters that were exchanged */
  async run(): Promise<number> {
    const changed = [...this.counters.values()].filter(({ pending }) => pending !== 0).slice(0, MAX_PER_SYNC);
    if (changed.length === 0) return 0;
    const amounts = changed.map(({ pending }) => pending);
    const totals = await this.store.add(
      changed.map(({ workspaceId, name, period, ttlMs, pending }) => ({
        workspaceId,
        name,
        period,
        ttlMs,
        amount: pending,
      })),
    );
    for (const [i, counter] of changed.entries()) {
      counter.total = totals[i]!;
      counter.pending -= amounts[i]!;
    }
    return changed.length;
  }

  override async onApplicationShutdown(): Promise<void> {
    await super.onApplicationShutdown();
    await this.run().catch(() => undefined);
    this.store.close();
  }
}

function toKey({ workspaceId, name, period }: CounterRef): string {
  return `${workspaceId} ${name} ${period}`;
}
