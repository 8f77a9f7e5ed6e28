import type { UsageDelta, UsageStore } from '#kernel/limits/usage-store.js';

/** Counters that several `SharedCounters` share, as processes share Redis or PostgreSQL. */
export class LocalUsageStore implements UsageStore {
  private readonly totals = new Map<string, number>();

  async add(deltas: readonly UsageDelta[]): Promise<number[]> {
    return deltas.map(({ workspaceId, name, period, amount }) => {
      const key = `${workspaceId} ${name} ${period}`;
      const total = (this.totals.get(key) ?? 0) + amount;
      this.totals.set(key, total);
      return total;
    });
  }

  close(): void {}
}
