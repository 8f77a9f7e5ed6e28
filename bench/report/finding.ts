import { median, rate, type Round, type Spread } from '../measure.ts';

/** One line of the report: a goal, what was measured, and how that compares. */
export interface Finding {
  /** Number in the table of goals. */
  readonly goal: string;
  readonly workload: string;
  /** Our figure and the one it stands beside, in words. */
  readonly ours: string;
  readonly beside: string;
  /** What is judged, over the rounds. */
  readonly figure: Spread;
  readonly unit: '' | ' s' | ' ms' | ' MB';
  /** Whether more or less of it is wanted. */
  readonly wanted: 'more' | 'less';
  readonly floor?: number | undefined;
  readonly aim?: number | undefined;
  /** False when an answer was wrong or missing, whatever the figures say. */
  readonly correct: boolean;
  /** Further lines, such as latencies. */
  readonly notes: readonly string[];
}

/** Which goal a finding reaches; `below` is below the floor, `WRONG` has wrong or missing answers, `-` has no floor. */
export function verdictOf({ figure, wanted, floor, aim, correct }: Finding): 'aim' | 'floor' | 'below' | '-' | 'WRONG' {
  if (!correct) return 'WRONG';
  const reaches = (goal: number) => (wanted === 'more' ? figure.median >= goal : figure.median <= goal);
  if (aim !== undefined && reaches(aim)) return 'aim';
  if (floor === undefined) return '-';
  return reaches(floor) ? 'floor' : 'below';
}

/** A figure that was taken once. */
export function once(value: number): Spread {
  return { median: value, min: value, max: value };
}

/** The middle rate of several rounds, such as `3 211/s`. @param rows that a call brings. */
export function perSecond(rounds: readonly Round[], rows = 1): string {
  return `${grouped(median(rounds.map(rate)) * rows)}/s`;
}

const WORTH_TELLING_MS = 250;

/** Latency, and processor time per call where it is known, of several rounds in one line. */
export function latencyOf(name: string, rounds: readonly Round[]): string {
  const ms = (pick: (round: Round) => number) => median(rounds.map(pick)).toFixed(2);
  const cpu = rounds.flatMap(({ cpuMs }) => cpuMs ?? []);
  const spent = cpu.length === 0 ? '' : `; ${median(cpu).toFixed(2)} ms of processor per call`;
  const settled = median(rounds.map(round => round.settledMs));
  const late = settled < WORTH_TELLING_MS ? '' : `; events delivered ${grouped(settled)} ms after the last answer`;
  return `${name}: p50 ${ms(r => r.p50)}, p95 ${ms(r => r.p95)}, p99 ${ms(r => r.p99)} ms${spent}${late}`;
}

/** A whole number with thin groups. */
export function grouped(number: number): string {
  return Math.round(number)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ' ');
}

/** Whether every call of these rounds was answered as it should be. */
export function allAnswered(...sides: readonly (readonly Round[])[]): boolean {
  return sides.flat().every(({ failed, calls }) => failed === 0 && calls > 0);
}
