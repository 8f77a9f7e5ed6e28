import { roundTo4 } from '#domain/claims/confidence.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { allocatePoints } from './allocate.js';
import type { KnownFact, MissingReason } from './evidence.js';
import type { LayerName, RuleSubject } from './model.js';

/** Why a layer has the score that it has: one rule, and what it brought. */
export interface LayerReason {
  readonly rule: string;
  /** A sentence for people. */
  readonly text: string;
  /** Whole points; those of a layer add up to its score. */
  readonly points: number;
  /** Id of the observation behind it; null for what the caller brought along. */
  readonly ref_id: string | null;
}

/** Something that is not known and would make a layer surer. */
export interface MissingFact {
  readonly layer: LayerName;
  readonly property: string;
  readonly on: RuleSubject;
  /** Points of priority that hang on it, 0..100. */
  readonly gain: number;
  /** How to find it out. */
  readonly how: 'enrich' | 'research' | 'ask' | 'verify';
  readonly reason: MissingReason;
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
  readonly reasons: readonly LayerReason[];
}

/** A rule that was looked at. */
export interface EvaluatedRule {
  readonly rule: string;
  /** A sentence for people, made only where it is told. */
  text(): string;
  readonly ref: string | null;
  /** Its share of the coverage. */
  readonly weight: number;
  /** 0..1 */
  readonly confidence: number;
  /** Points before rounding; zero for a rule that did not match. */
  readonly points: number;
}

/** A rule that could not be looked at. */
export interface SkippedRule {
  readonly property: string;
  readonly on: RuleSubject;
  readonly weight: number;
  readonly reason: MissingReason;
  /** Whom to ask when nothing is known at all. */
  readonly source: 'enrich' | 'research' | 'ask';
}

/** What became of one rule: how far it matched, or what it would need. */
export type RuleEvaluation =
  | {
      readonly ok: true;
      readonly match: number;
      readonly value: JsonValue;
      readonly fact: Pick<KnownFact, 'confidence' | 'ref'>;
      readonly supports?: true;
    }
  | { readonly ok: false; readonly lack: SkippedRule };

/** What became of the rules of a layer. */
export interface LayerEvaluation {
  readonly evaluated: readonly EvaluatedRule[];
  readonly skipped: readonly SkippedRule[];
  /** Whether what was looked at is enough to say anything. */
  readonly known: boolean;
  /** 0..1, where it is no matter of how many rules were looked at. */
  readonly coverage?: number;
  /** What could not be looked at and why, in short: of the same model, the same text means the same. */
  readonly missingKeys: string;
}

/** Nothing to say. */
export const UNKNOWN_LAYER: Layer = { status: 'unknown', score: null, coverage: 0, trust: null, reasons: [] };

/**
 * The layer that comes of its rules: points rounded so that they add up to the score.
 * @param maxReasons reasons that are told, those that weigh most first.
 */
export function toLayer({ evaluated, skipped, known, coverage }: LayerEvaluation, maxReasons: number): Layer {
  if (!known) return UNKNOWN_LAYER;
  let [points, seen, sure, all] = [0, 0, 0, 0];
  for (const rule of evaluated) {
    points += rule.points;
    seen += rule.weight;
    sure += rule.weight * rule.confidence;
  }
  for (const { weight } of skipped) all += weight;
  all += seen;
  const score = Math.min(100, Math.max(0, Math.round(points)));
  return {
    status: 'known',
    score,
    coverage: roundTo4(coverage ?? (all > 0 ? seen / all : 1)),
    trust: seen > 0 ? roundTo4(sure / seen) : null,
    reasons: maxReasons > 0 ? toLayerReasons(evaluated, score, maxReasons) : NO_REASONS,
  };
}

const NO_REASONS: readonly LayerReason[] = [];

function toLayerReasons(looked: readonly EvaluatedRule[], score: number, maxReasons: number): LayerReason[] {
  const points = allocatePoints(
    looked.map(rule => rule.points),
    score,
  );
  const worth: number[] = [];
  for (let i = 0; i < points.length; i++) if (points[i] !== 0) worth.push(i);
  worth.sort((a, b) => Math.abs(points[b]!) - Math.abs(points[a]!));
  if (worth.length > maxReasons) worth.length = maxReasons;
  return worth.map(i => ({
    rule: looked[i]!.rule,
    text: looked[i]!.text(),
    points: points[i]!,
    ref_id: looked[i]!.ref,
  }));
}
