/** What one round of one side gave. */
export interface Sample {
  /** Calls that were answered as they should be. */
  readonly calls: number;
  /** Calls that were not: errors of the server or of the connection. */
  readonly failed: number;
  /** Of those, answers with a status of 500 and above. */
  readonly serverErrors: number;
  /** From the first call to the last answer. */
  readonly seconds: number;
  /** Latency in milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** Observations that the hub acknowledged as recorded. */
  readonly recorded: number;
}

/** Collects the outcome of calls while they run. */
export class Tally {
  private readonly latencies: number[] = [];
  private readonly began = performance.now();
  private failed = 0;
  private serverErrors = 0;
  private recorded = 0;

  /** Notes a call that took `ms`. @param recorded observations that it acknowledged. */
  done(ms: number, recorded = 0): void {
    this.latencies.push(ms);
    this.recorded += recorded;
  }

  /** Notes a call that failed, with its HTTP status if it has one. */
  fail(status = 0): void {
    this.failed++;
    if (status >= 500) this.serverErrors++;
  }

  /** The sum of it. */
  sample(): Sample {
    const seconds = (performance.now() - this.began) / 1000;
    const sorted = Float64Array.from(this.latencies).sort();
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    const { failed, serverErrors, recorded } = this;
    return {
      calls: sorted.length,
      failed,
      serverErrors,
      seconds,
      p50: at(0.5),
      p95: at(0.95),
      p99: at(0.99),
      recorded,
    };
  }
}

/** How long something is kept up: for a time, or for a number of calls. */
export type Extent = { readonly seconds: number } | { readonly calls: number };

/**
 * Runs `call` on every lane again and again, each lane one call at a time, and waits for the last answers: nothing is
 * cut off, so what was acknowledged can be compared with what is stored.
 */
export async function driveLoad<Lane>(
  lanes: readonly Lane[],
  extent: Extent,
  call: (lane: Lane, tally: Tally) => Promise<void>,
): Promise<Sample> {
  const tally = new Tally();
  const until = 'seconds' in extent ? performance.now() + extent.seconds * 1000 : Infinity;
  let left = 'calls' in extent ? extent.calls : Infinity;
  await Promise.all(
    lanes.map(async lane => {
      while (performance.now() < until && left-- > 0) await call(lane, tally);
    }),
  );
  return tally.sample();
}
