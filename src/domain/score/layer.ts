import { round4 } from '#domain/claims/certainty.js';
import type { Json } from '#domain/observation/observation.js';
import { allocate } from './allocate.js';
import type { KnownFact, Lack } from './evidence.js';
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
export interface Unlooked {
  readonly property: string;
  readonly on: On;
  readonly weight: number;
  readonly reason: Lack;
  /** Whom to ask when nothing is known at all. */
  readonly source: 'enrich' | 'research' | 'ask';
}

/** What became of one rule: how far it matched, or what it would need. */
export type Look =
  | {
      readonly ok: true;
      readonly match: number;
      readonly value: Json;
      readonly fact: Pick<KnownFact, 'confidence' | 'ref'>;
      readonly supports?: true;
    }
  | { readonly ok: false; readonly lack: Unlooked };

/** What became of the rules of a layer. */
export interface LayerWork {
  readonly looked: readonly Looked[];
  readonly unlooked: readonly Unlooked[];
  /** Whether what was looked at is enough to say anything. */
  readonly known: boolean;
  /** 0..1, where it is no matter of how many rules were looked at. */
  readonly coverage?: number;
  /** What could not be looked at and why, in short: of the same model, the same text means the same. */
  readonly lacks: string;
}

/** Nothing to say. */
export const UNKNOWN: Layer = { status: 'unknown', score: null, coverage: 0, trust: null, reasons: [] };

/**
 * The layer that comes of its rules: points rounded so that they add up to the score.
 * @param most reasons that are told, those that weigh most first.
 */
export function layerOf({ looked, unlooked, known, coverage }: LayerWork, most: number): Layer {
  if (!known) return UNKNOWN;
  let [points, seen, sure, all] = [0, 0, 0, 0];
  for (const rule of looked) {
    points += rule.points;
    seen += rule.weight;
    sure += rule.weight * rule.confidence;
  }
  for (const { weight } of unlooked) all += weight;
  all += seen;
  const score = Math.min(100, Math.max(0, Math.round(points)));
  return {
    status: 'known',
    score,
    coverage: round4(coverage ?? (all > 0 ? seen / all : 1)),
    trust: seen > 0 ? round4(sure / seen) : null,
    reasons: most > 0 ? reasonsOf(looked, score, most) : NO_REASONS,
  };
}

const NO_REASONS: readonly Reason[] = [];

function reasonsOf(looked: readonly Looked[], score: number, most: number): Reason[] {
  const points = allocate(
    looked.map(rule => rule.points),
    score,
  );
  const worth: number[] = [];
  for (let i = 0; i < points.length; i++) if (points[i] !== 0) worth.push(i);
  worth.sort((a, b) => Math.abs(points[b]!) - Math.abs(points[a]!));
  if (worth.length > most) worth.length = most;
  return worth.map(i => ({
    rule: looked[i]!.rule,
    text: looked[i]!.text(),
    points: points[i]!,
    ref_id: looked[i]!.ref,
  }));
}
