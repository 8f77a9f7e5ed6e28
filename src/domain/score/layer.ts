import { round4 } from '#domain/claims/certainty.js';
import { allocate } from './allocate.js';
import type { Lack } from './evidence.js';
import type { LayerName, On } from './model.js';

/** Why a layer has the score that it has: one rule, and what it brought. */
export interface Reason {
  readonly rule: string;
  /** A sentence for people. */
  readonly text: string;
  /** Whole points; those of a layer add up to its score. */
  readonly points: number;
  /** Id of the observation behind it; null for what the caller brought along. */
  readonly ref_id: string | null;
}

/** Something that is not known and would make a layer surer. */
export interface Missing {
  readonly layer: LayerName;
  readonly property: string;
  readonly on: On;
  /** Points of priority that hang on it, 0..100. */
  readonly gain: number;
  /** How to find it out. */
  readonly how: 'enrich' | 'research' | 'ask' | 'verify';
  readonly reason: Lack;
}

/** The answer to one of the four questions. */
export interface Layer {
  readonly status: 'known' | 'unknown';
  /** 0..100; null, never 0, when nothing is known. */
  readonly score: number | null;
  /** Share of the rules, by their weight, that could be looked at, 0..1. */
  readonly coverage: number;
  /** How sure what was looked at is, 0..1; null when nothing was. */
  readonly trust: number | null;
  readonly reasons: readonly Reason[];
}

/** A rule that was looked at. */
export interface Looked {
  readonly rule: string;
  /** A sentence for people, made only where it is told. */
  readonly text: () => string;
  readonly ref: string | null;
  /** Its share of the coverage. */
  readonly weight: number;
  /** 0..1 */
  readonly confidence: number;
  /** Points before rounding; zero for a rule that did not match. */
  readonly points: number;
}

/** A rule that could not be looked at. */
export interface Unlooked {
  readonly property: string;
  readonly on: On;
  readonly weight: number;
  readonly reason: Lack;
  /** Whom to ask when nothing is known at all. */
  readonly source: 'enrich' | 'research' | 'ask';
}

/** What became of the rules of a layer. */
export interface LayerWork {
  readonly looked: readonly Looked[];
  readonly unlooked: readonly Unlooked[];
  /** Whether what was looked at is enough to say anything. */
  readonly known: boolean;
  /** 0..1, where it is no matter of how many rules were looked at. */
  readonly coverage?: number;
}

/** Nothing to say. */
export const UNKNOWN: Layer = { status: 'unknown', score: null, coverage: 0, trust: null, reasons: [] };

/**
 * The layer that comes of its rules: points rounded so that they add up to the score.
 * @param told whether the reasons are wanted.
 */
export function layerOf({ looked, unlooked, known, coverage }: LayerWork, told: boolean): Layer {
  if (!known) return UNKNOWN;
  const score = Math.min(100, Math.max(0, Math.round(looked.reduce((sum, { points }) => sum + points, 0))));
  const seen = looked.reduce((sum, { weight }) => sum + weight, 0);
  const all = unlooked.reduce((sum, { weight }) => sum + weight, seen);
  return {
    status: 'known',
    score,
    coverage: round4(coverage ?? (all > 0 ? seen / all : 1)),
    trust: seen > 0 ? round4(looked.reduce((sum, rule) => sum + rule.weight * rule.confidence, 0) / seen) : null,
    reasons: told ? reasonsOf(looked, score) : [],
  };
}

function reasonsOf(looked: readonly Looked[], score: number): Reason[] {
  const points = allocate(
    looked.map(rule => rule.points),
    score,
  );
  return looked
    .map(({ rule, text, ref }, i) => ({ rule, text, points: points[i]!, ref_id: ref }))
    .filter(reason => reason.points !== 0)
    .sort((a, b) => Math.abs(b.points) - Math.abs(a.points))
    .map(reason => ({ ...reason, text: reason.text() }));
}
