import type { LayerName } from './model.js';
import type { Layer } from './layer.js';

/** What to do with a lead next. */
export const PLAYS = ['research', 'nurture', 'work now', 'enrich', 'suppress'] as const;

/** One of {@link PLAYS}. */
export type Play = (typeof PLAYS)[number];

/** What the play is decided by. */
export interface PlayInput {
  readonly layers: Readonly<Record<LayerName, Pick<Layer, 'score' | 'coverage'>>>;
  /** Something rules the lead out. */
  readonly flagged: boolean;
  /** Named precisely enough to be looked up. */
  readonly precise: boolean;
  /** Can be reached. */
  readonly reachable: boolean;
}

/** A play and the row of the table that it comes from, `P1` to `P15`. */
export interface PlayDecision {
  readonly play: Play;
  readonly play_rule: string;
}

type PlayRule = readonly [rule: string, play: Play, holds: (standing: PlayInput) => boolean];

const isBelow = (score: number | null, limit: number) => score !== null && score < limit;
const isAtLeast = (score: number | null, limit: number) => score !== null && score >= limit;
const hasHighIntent = ({ layers }: PlayInput) => isAtLeast(layers.intent.score, 60);
const hasHighPain = ({ layers: { pain, intent } }: PlayInput) =>
  isAtLeast(pain.score, 60) && (intent.score === null || intent.score >= 30);

/** The first row that holds decides; the last one always does. */
const playTable: readonly PlayRule[] = [
  ['P1', 'suppress', ({ flagged }) => flagged],
  ['P2', 'suppress', ({ layers: { fit } }) => isBelow(fit.score, 25) && fit.coverage >= 0.5],
  ['P3', 'enrich', ({ layers: { fit }, precise }) => fit.score === null && precise],
  ['P4', 'research', ({ layers: { fit } }) => fit.score === null],
  ['P5', 'enrich', ({ layers: { fit }, precise }) => isBelow(fit.score, 50) && fit.coverage < 0.5 && precise],
  ['P6', 'nurture', ({ layers: { fit } }) => isBelow(fit.score, 50)],
  ['P7', 'nurture', ({ layers: { ability } }) => isBelow(ability.score, 25)],
  ['P8', 'work now', standing => hasHighIntent(standing) && standing.reachable],
  ['P9', 'enrich', hasHighIntent],
  ['P10', 'work now', standing => hasHighPain(standing) && standing.reachable],
  ['P11', 'enrich', hasHighPain],
  ['P12', 'enrich', ({ layers: { fit }, precise }) => fit.coverage < 0.5 && precise],
  ['P13', 'research', ({ layers: { pain, intent } }) => pain.score === null && intent.score === null],
  ['P14', 'research', ({ layers: { pain } }) => pain.score === null],
  ['P15', 'nurture', () => true],
];

/** The play for a lead. Total: every standing has one. */
export function decidePlay(standing: PlayInput): PlayDecision {
  const [play_rule, play] = playTable.find(([, , holds]) => holds(standing))!;
  return { play, play_rule };
}
