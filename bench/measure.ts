import { cpuSecondsOf } from './env/process.ts';
import type { Extent, Sample } from './load/sample.ts';

/** One side of a comparison. */
export interface Contender {
  /** Puts the load on for so long, and waits for the last answer. */
  run(extent: Extent): Promise<Sample>;
  /** Waits for what the load has left to do in the background, so that it does not count against the other side. */
  settle?(): Promise<void>;
  /** Process whose processor time is noted. */
  readonly pid?: number;
}

/** A round, and what it took beside the time of its calls. */
export interface Round extends Sample {
  /** Processor time of the watched process per call, in milliseconds. */
  readonly cpuMs: number | undefined;
  /** How long after the last answer the background work was done, in milliseconds. */
  readonly settledMs: number;
}

/** How long and how often. */
export interface RunOptions {
  readonly seconds: number;
  readonly rounds: number;
}

/** A hub is compiled while it runs: its first calls take several times as long as those after some seconds of them. */
const WARM_UP_ROUNDS = 3;

/**
 * Measures sides by turns, so that what else happens on the machine meets all of them; each round begins with another.
 * The first rounds only warm them up, by turns as well: a hub that nobody asks anything for eight seconds may drop what
 * it has compiled, to save memory, and would be measured while it compiles it again.
 */
export async function interleaved<Name extends string>(
  sides: Readonly<Record<Name, Contender>>,
  { seconds, rounds }: RunOptions,
): Promise<Record<Name, Round[]>> {
  const names = Object.keys(sides) as Name[];
  const taken = Object.fromEntries(names.map(name => [name, [] as Round[]])) as Record<Name, Round[]>;
  for (let i = -WARM_UP_ROUNDS; i < rounds; i++) {
    for (let place = 0; place < names.length; place++) {
      const name = names.at((place - i) % names.length)!;
      const one = await round(sides[name], seconds);
      if (i >= 0) taken[name].push(one);
    }
  }
  return taken;
}

async function round(side: Contender, seconds: number): Promise<Round> {
  const before = side.pid === undefined ? undefined : cpuSecondsOf(side.pid);
  const sample = await side.run({ seconds });
  const answeredAt = performance.now();
  await side.settle?.();
  const settledMs = side.settle ? performance.now() - answeredAt : 0;
  const after = side.pid === undefined ? undefined : cpuSecondsOf(side.pid);
  const spent = before === undefined || after === undefined ? undefined : after - before;
  return { ...sample, settledMs, cpuMs: spent === undefined ? undefined : (spent * 1000) / Math.max(1, sample.calls) };
}

/** The middle of several numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** Calls per second of a round. */
export const rate = (sample: Sample) => sample.calls / sample.seconds;

/** What something comes to over the rounds: the median, the least and the most. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** The spread of a figure that each pair of rounds gives. */
export function spreadOf(
  ours: readonly Round[],
  limit: readonly Round[],
  figure: (a: Round, b: Round) => number,
): Spread {
  const figures = ours.map((round, i) => figure(round, limit[i]!));
  return { median: median(figures), min: Math.min(...figures), max: Math.max(...figures) };
}

/** The ratios of two series of figures, round by round. */
export function ratiosOf(ours: readonly number[], theirs: readonly number[]): Spread {
  const each = ours.map((figure, n) => figure / theirs[n]!);
  return { median: median(each), min: Math.min(...each), max: Math.max(...each) };
}
