import { toText } from '../words/text.ts';
import { w } from '../words/en.ts';
import type { ClaimEvidence, Statement } from './types.ts';

/** A period in which a value held, in milliseconds. */
export interface HeldPeriod {
  readonly from: number;
  readonly to: number;
}

/** A statement on the time axis. */
export interface Dot {
  readonly id: string;
  readonly at: number;
  readonly source: string;
  /** Weight in the claim, 0 to 1; 0 if it does not count. */
  readonly weight: number;
}

/** One value on the time axis: when it held, and when it was stated. */
export interface Lane {
  readonly value: string;
  readonly isCurrent: boolean;
  readonly periods: readonly HeldPeriod[];
  readonly dots: readonly Dot[];
}

/** Everything that the time axis draws. */
export interface Axis {
  readonly lanes: readonly Lane[];
  /** Time of the first statement or period, in milliseconds. */
  readonly from: number;
  readonly to: number;
}

interface OpenLane {
  readonly value: string;
  readonly periods: HeldPeriod[];
  readonly dots: Dot[];
}

/**
 * Returns the lanes of a claim: the present value first, then the others by their latest time. Values that differ in case and
 * spaces only share a lane.
 * @param now time at which the axis ends, in milliseconds
 */
export function toAxis({ claim, statements, periods }: ClaimEvidence, now: number): Axis {
  const lanes = new Map<string, OpenLane>();
  const laneOf = (value: unknown): OpenLane => {
    const text = toStatedText(value);
    const key = text.trim().toLowerCase();
    const lane = lanes.get(key) ?? { value: text, periods: [], dots: [] };
    lanes.set(key, lane);
    return lane;
  };
  const values = toCurrentValues(claim.value, claim.status);
  const current = new Set(values.map(value => laneOf(value)));
  for (const lane of current) lane.periods.push({ from: Date.parse(claim.valid_from), to: now });
  for (const { value, valid_from, valid_to } of periods)
    laneOf(value).periods.push({ from: Date.parse(valid_from), to: Date.parse(valid_to) });
  for (const { observation_id: id, value, source, observed_at, weight } of statements)
    for (const each of toStatedValues(value))
      laneOf(each).dots.push({ id, at: Date.parse(observed_at), source, weight });
  const all = [...lanes.values()].map(lane => ({ ...lane, isCurrent: current.has(lane) }));
  const timesOf = (lane: OpenLane) => [...lane.dots.map(({ at }) => at), ...lane.periods.map(({ from }) => from)];
  const from = Math.min(now, ...all.flatMap(timesOf));
  const latestOf = (lane: OpenLane) => Math.max(0, ...timesOf(lane), ...lane.periods.map(({ to }) => to));
  return {
    lanes: all.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || latestOf(b) - latestOf(a)),
    from,
    to: now,
  };
}

function toCurrentValues(value: unknown, status: string): readonly unknown[] {
  if (status === 'ended') return [null];
  return Array.isArray(value) ? value : [value];
}

function toStatedValues(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Returns a stated value as text; null states that the fact has ended. */
export function toStatedText(value: unknown): string {
  return value === null ? w.class.ended : toText(value);
}

/** Statements by what they do for the claim, the heaviest first. */
export interface Sides {
  readonly supports: readonly Statement[];
  readonly opposes: readonly Statement[];
  readonly superseded: readonly Statement[];
}

/** Sorts statements by their role, and within it by weight and time. */
export function toSides(statements: readonly Statement[]): Sides {
  const sideOf = (role: Statement['role']) =>
    statements
      .filter(statement => statement.role === role)
      .toSorted((a, b) => b.weight - a.weight || Date.parse(b.observed_at) - Date.parse(a.observed_at));
  return { supports: sideOf('supports'), opposes: sideOf('opposes'), superseded: sideOf('superseded') };
}

/** Returns a claim with its value, confidence, date and sources as text, for an e-mail or a prompt. */
export function toProof({ claim, why }: ClaimEvidence, name: string): string {
  const { property, value, status, confidence, freshness, last_observed_at, sources } = claim;
  const stated = status === 'ended' ? w.class.ended : toText(value);
  const list = sources.map(({ source, method, observed_at }) => `${source} (${method}, ${observed_at.slice(0, 10)})`);
  return [
    `${name}: ${property} = ${stated}`,
    `${w.confidence} ${confidence.toFixed(2)}, ${w.freshness[freshness]}, ${last_observed_at.slice(0, 10)}`,
    list.join('; '),
    why.text,
  ].join('\n');
}
