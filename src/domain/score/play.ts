import type { LayerName } from './model.js';
import type { Layer } from './layer.js';

/** Recommended next actions for a lead. */
export const PLAYS = ['research', 'nurture', 'work now', 'enrich', 'suppress'] as const;

/** One of {@link PLAYS}. */
export type Play = (typeof PLAYS)[number];

/** Input of the decision. */
export interface PlayInput {
  readonly layers: Readonly<Record<LayerName, Pick<Layer, 'score' | 'coverage'>>>;
  /** Whether a hard flag rules the lead out. */
  readonly flagged: boolean;
  /** Whether the lead is identified precisely enough to be looked up. */
  readonly precise: boolean;
  /** Whether the lead can be reached. */
  readonly reachable: boolean;
}

/** A play with the row of the table that decided it, `P1` to `P15`. */
export interface PlayDecision {
  readonly play: Play;
  readonly play_rule: string;
}

type PlayRule = readonly [rule: string, play: Play, holds: (input: PlayInput) => boolean];

const isBelow = (score: number | null, limit: number) => score !== null && score < limit;
const isAtLeast = (score: number | null, limit: number) => score !== null && score >= limit;
const hasHighIntent = ({ layers }: PlayInput) => isAtLeast(layers.intent.score, 60);
const hasHighPain = ({ layers: { pain, intent } }: PlayInput) =>
  isAtLeast(pain.score, 60) && (intent.score === null || intent.score >= 30);

/** The first matching row decides; the last one always matches. */
const playTable: readonly PlayRule[] = [
  ['P1', 'suppress', ({ flagged }) => flagged],
  ['P2', 'suppress', ({ layers: { fit } }) => isBelow(fit.score, 25) && fit.coverage >= 0.5],
  ['P3', 'enrich', ({ layers: { fit }, precise }) => fit.score === null && precise],
  ['P4', 'research', ({ layers: { fit } }) => fit.score === null],
  ['P5', 'enrich', ({ layers: { fit }, precise }) => isBelow(fit.score, 50) && fit.coverage < 0.5 && precise],
  ['P6', 'nurture', ({ layers: { fit } }) => isBelow(fit.score, 50)],
  ['P7', 'nurture', ({ layers: { ability } }) => isBelow(ability.score, 25)],
  ['P8', 'work now', input => hasHighIntent(input) && input.reachable],
  ['P9', 'enrich', hasHighIntent],
  ['P10', 'work now', input => hasHighPain(input) && input.reachable],
  ['P11', 'enrich', hasHighPain],
  ['P12', 'enrich', ({ layers: { fit }, precise }) => fit.coverage < 0.5 && precise],
  ['P13', 'research', ({ layers: { pain, intent } }) => pain.score === null && intent.score === null],
  ['P14', 'research', ({ layers: { pain } }) => pain.score === null],
  ['P15', 'nurture', () => true],
];

/** Decides the play of a lead. Every input has one. */
export function decidePlay(input: PlayInput): PlayDecision {
  const [play_rule, play] = playTable.find(([, , holds]) => holds(input))!;
  return { play, play_rule };
}
