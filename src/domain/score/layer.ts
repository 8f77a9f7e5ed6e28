import { roundTo4 } from '../claims/confidence.js';
import type { JsonValue } from '../observation/observation.js';
import type { KnownFact, MissingReason } from './evidence.js';
import type { LayerName, RuleSubject } from './model.js';

/**
 * Distributes `total` whole points among parts whose sum rounds to it: each part is rounded down, and the remaining
 * points go to the parts with the largest remainder, the earlier of equals first. The result adds up to `total`, and no
 * part is off by more than one.
 */
export function allocatePoints(parts: readonly number[], total: number): number[] {
  const points = parts.map(Math.floor);
  let left = total - points.reduce((sum, point) => sum + point, 0);
  if (left === 0) return points;
  const loss = (i: number) => parts[i]! - Math.floor(parts[i]!);
  const byLoss = [...parts.keys()].sort((a, b) => loss(b) - loss(a) || a - b);
  for (const i of byLoss) {
    if (left <= 0) break;
    points[i]!++;
    left--;
  }
  for (const i of byLoss.toReversed()) {
    if (left >= 0) break;
    points[i]!--;
    left++;
  }
  return points;
}

/** Scales negative parts so that the sum is not below zero. */
export function clampToZero(parts: readonly number[]): number[] {
  if (parts.every(part => part >= 0)) return [...parts];
  const gained = parts.reduce((sum, part) => sum + Math.max(part, 0), 0);
  const lost = -parts.reduce((sum, part) => sum + Math.min(part, 0), 0);
  if (lost <= gained) return [...parts];
  return parts.map(part => (part < 0 ? (part * gained) / lost : part));
}

/** A reason for the score of a layer: one rule and its points. */
export interface LayerReason {
  readonly rule: string;
  /** A sentence for people. */
  readonly text: string;
  /** Whole points; those of a layer add up to its score. */
  readonly points: number;
  /** ID of the observation behind it; null for attributes sent by the caller. */
  readonly ref_id: string | null;
}

/** An unknown fact that would improve a layer. */
export interface MissingFact {
  readonly layer: LayerName;
  readonly property: string;
  readonly on: RuleSubject;
  /** Priority points that depend on it, 0..100. */
  readonly gain: number;
  /** How to find it out. */
  readonly how: 'enrich' | 'research' | 'ask' | 'verify';
  readonly reason: MissingReason;
}

/** Score of one layer. */
export interface Layer {
  readonly status: 'known' | 'unknown';
  /** 0..100; null, never 0, if nothing is known. */
  readonly score: number | null;
  /** Share of the evaluated rules, by weight, 0..1. */
  readonly coverage: number;
  /** Confidence of the evaluated facts, 0..1; null without any. */
  readonly trust: number | null;
  readonly reasons: readonly LayerReason[];
}

/** A rule that was evaluated. */
export interface EvaluatedRule {
  readonly rule: string;
  /** Returns a sentence for people. Computed only if the reason is presented. */
  text(): string;
  readonly ref: string | null;
  /** Its share of the coverage. */
  readonly weight: number;
  /** 0..1 */
  readonly confidence: number;
  /** Points before rounding; zero for a rule that did not match. */
  readonly points: number;
}

/** A rule that could not be evaluated. */
export interface SkippedRule {
  readonly property: string;
  readonly on: RuleSubject;
  readonly weight: number;
  readonly reason: MissingReason;
  /** How to find out a fact that is absent. */
  readonly source: 'enrich' | 'research' | 'ask';
}

/** Result of one rule: its match, or the fact it lacks. */
export type RuleEvaluation =
  | {
      readonly ok: true;
      readonly match: number;
      readonly value: JsonValue;
      readonly fact: Pick<KnownFact, 'confidence' | 'ref'>;
      readonly supports?: true;
    }
  | {
      readonly ok: false;
      readonly skipped: SkippedRule;
      /** Share of the points that an unknown fact counts with, 0..1. */
      readonly average?: number;
    };

/** Results of the rules of a layer. */
export interface LayerEvaluation {
  readonly evaluated: readonly EvaluatedRule[];
  readonly skipped: readonly SkippedRule[];
  /** Whether the evaluated rules are enough for a score. */
  readonly known: boolean;
  /** 0..1; set if it does not depend on the number of evaluated rules. */
  readonly coverage?: number;
  /** Compact key of the skipped rules and reasons. For one model, equal keys mean equal missing facts. */
  readonly missingKeys: string;
}

/** A layer about which nothing is known. */
export const UNKNOWN_LAYER: Layer = { status: 'unknown', score: null, coverage: 0, trust: null, reasons: [] };

/**
 * Computes a layer from its rules, with points rounded so that they add up to the score.
 * @param maxReasons maximum number of reasons, those with most points first.
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
