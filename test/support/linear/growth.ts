// Tells whether a function takes time in proportion to the length of its text, or more.

/**
 * Pairs of lengths: work in proportion doubles between the two, quadratic work becomes four times as much. The shorter
 * pairs are there for work that would never end on the last one.
 */
const PAIRS = [
  [1_000, 2_000],
  [4_000, 8_000],
  [12_500, 25_000],
  [25_000, 50_000],
] as const;
/** How often longer a text of twice the length may take. */
const MAX_RATIO = 3;
/** A ratio near that of work in proportion: two runs are enough to believe it. Quadratic work shows four. */
const CLEAR_RATIO = 2.4;
/** Below this a measurement says nothing, since some systems count in steps of 4 ms. Quadratic work takes seconds. */
const MIN_MS = 60;
/** What takes longer is measured once. */
const LONG_MS = 60;
/** What takes longer is judged before a longer text is tried, which may never end. */
const LAST_TRY_MS = 600;
const REPEATS = 5;
/** How often growth has to be seen before it is believed: a busy machine slows single measurements down. */
const CONFIRMATIONS = 3;

/** Growth that was found: two lengths, and the CPU time at each. */
export interface Growth {
  readonly lengths: readonly [number, number];
  readonly ms: readonly [number, number];
}

/**
 * Measures `run` on texts of growing length, each time the best of five runs.
 * @returns the growth where twice the length takes more than three times as long; undefined for work in proportion.
 */
export function findGrowth(build: (length: number) => string, run: (text: string) => unknown): Growth | undefined {
  for (const lengths of PAIRS) {
    const [short, long] = lengths.map(build) as [string, string];
    const least = lengths === PAIRS.at(-1) ? MIN_MS : LAST_TRY_MS;
    for (let seen = 1; cpuMs(run, long) >= least; seen++) {
      const ms = measurePair(run, short, long);
      if (ms[1] < least || ms[1] <= MAX_RATIO * ms[0]) break;
      if (seen === CONFIRMATIONS) return { lengths, ms };
    }
  }
  return undefined;
}

/** The least CPU times of five runs of each text, in milliseconds; of fewer where that is long or the ratio is clear. */
function measurePair(run: (text: string) => unknown, short: string, long: string): readonly [number, number] {
  let best = [Infinity, Infinity] as [number, number];
  for (let i = 0; i < REPEATS && (i === 0 || best[0] <= LONG_MS); i++) {
    best = [Math.min(best[0], cpuMs(run, short)), Math.min(best[1], cpuMs(run, long))];
    if (i > 0 && best[1] <= CLEAR_RATIO * best[0]) break;
  }
  return best;
}

/** The CPU time of one run in milliseconds: what others do on the same machine is no part of it. */
function cpuMs(run: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage();
  run(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** The time of one run in milliseconds, waits for the processor included. */
export function elapsedMs(run: (text: string) => unknown, text: string): number {
  const start = performance.now();
  run(text);
  return performance.now() - start;
}
