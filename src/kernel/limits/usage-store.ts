/** What a workspace used in a period, in this process, since it was last added to the store. */
export interface UsageDelta {
  readonly workspaceId: string;
  /** What is counted, such as `requests`. */
  readonly name: string;
  /** Number of the period since 1970, such as that of the five seconds or of the day. */
  readonly period: number;
  readonly amount: number;
  /** When the counter may be forgotten, in milliseconds from now. */
  readonly ttlMs: number;
}

/** Counters that all processes share. Nothing that answers a request waits for them. */
export interface UsageStore {
  /** Adds the amounts and returns the totals of all processes, in the same order. */
  add(deltas: readonly UsageDelta[]): Promise<number[]>;
  /** Closes the connections of the store. */
  close(): void;
}
