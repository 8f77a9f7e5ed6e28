import { roundTo4 } from '../claims/confidence.js';
import type { Instant } from '../time/instant.js';
import type { HardFlag, Evidence } from './evidence.js';
import { type ScoreRule, type IcpModel, type LayerName, LAYERS, formatModelId } from './model.js';
import { type PlayDecision, type Play, decidePlay } from './play.js';
import { describeRule } from './reason-text.js';
import { type Band, toBand, type Tier, toTier } from './bands.js';
import { evaluateIntentLayer } from './intent-layer.js';
import { type Layer, toLayer, type LayerEvaluation, type MissingFact, UNKNOWN_LAYER } from './layer.js';
import { listMissingFacts } from './missing-facts.js';
import { evaluatePainLayer } from './pain-layer.js';
import { findDisqualifying, evaluateRuleLayer } from './rule-layer.js';

/** A rule that suppresses a lead. */
export interface Suppression {
  /** ID of the model's rule, or a built-in one: a hard flag other than `disqualified`, or `low_fit`. */
  readonly rule: string;
  /** A sentence for people. */
  readonly text: string;
}

const FLAG_TEXTS: Readonly<Record<Exclude<HardFlag, 'disqualified'>, string>> = {
  unsubscribed: 'The contact unsubscribed.',
  do_not_contact: 'The contact must not be contacted.',
  no_live_channel: 'The known address bounced, and no other way to reach the contact is known.',
  own_domain: 'The address belongs to the workspace itself.',
  suppressed: 'The domain is on the suppression list of the scoring model.',
};

const LOW_FIT: Suppression = {
  rule: 'low_fit',
  text: 'Fit is below 25, with at least half of the rules of the model evaluated.',
};

const NONE: readonly Suppression[] = [];

/**
 * Returns every rule that suppresses a lead; empty unless the play is `suppress`.
 * @param disqualifying rules of the model that match in full.
 */
export function explainSuppression(
  { play, play_rule }: PlayDecision,
  flags: readonly HardFlag[],
  disqualifying: readonly ScoreRule[],
): readonly Suppression[] {
  if (play !== 'suppress') return NONE;
  if (play_rule === 'P2') return [LOW_FIT];
  const byFlag = flags.flatMap(flag => (flag === 'disqualified' ? [] : [{ rule: flag, text: FLAG_TEXTS[flag] }]));
  const byModel = disqualifying.map(rule => ({
    rule: rule.id,
    text: `Disqualified by the model: ${describeRule(rule)}.`,
  }));
  return [...byFlag, ...byModel];
}

/** Score of one lead. */
export interface LeadScore {
  readonly layers: Readonly<Record<LayerName, Layer>>;
  /** What to find out next, the most valuable first. */
  readonly missing: readonly MissingFact[];
  readonly play: Play;
  /** Row of the play table, `P1` to `P15`. */
  readonly play_rule: string;
  /** The rules that suppress the lead; empty unless the play is `suppress`. */
  readonly suppressed_by: readonly Suppression[];
  /** Hard flags of the lead; mostly empty. */
  readonly flags: readonly HardFlag[];
  /** 0..100, from the known layers only; null if none is known. */
  readonly priority: number | null;
  /** Weighted coverage of the known layers, 0..1. */
  readonly priority_confidence: number;
  /** `id@version` of the model; null if the workspace has none. */
  readonly icp_model: string | null;
  /** Named by the scale of the model. */
  readonly tier: Tier | null;
  readonly band: Band | null;
}

/** Maximum number of reasons in a one-sentence summary. */
export const MAX_SUMMARY_REASONS = 3;

/** Layer of leads outside the graph, of which neither activity nor ability is known. */
const NOT_EVALUATED: LayerEvaluation = { evaluated: [], skipped: [], known: false, missingKeys: '' };

/**
 * Scores a lead by a model as of `now`.
 * @param explain whether all layers include their reasons; otherwise only Fit does, the three strongest.
 */
export function scoreLead(model: IcpModel, evidence: Evidence, now: Instant, explain = true): LeadScore {
  const work: Record<LayerName, LayerEvaluation> = {
    fit: evaluateRuleLayer(model.fit, evidence),
    pain: evaluatePainLayer(model.pain, evidence, now),
    intent: evaluateIntentLayer(model.intent, evidence, now),
    ability: evidence.inline ? NOT_EVALUATED : evaluateRuleLayer(model.ability, evidence),
  };
  const maxReasons = explain ? Infinity : 0;
  const layers = {
    fit: toLayer(work.fit, explain ? Infinity : MAX_SUMMARY_REASONS),
    pain: toLayer(work.pain, maxReasons),
    intent: toLayer(work.intent, maxReasons),
    ability: toLayer(work.ability, maxReasons),
  };
  const disqualifying = findDisqualifying(model, evidence);
  const flags = findFlags(model, evidence, disqualifying.length > 0);
  const { precise, reachable } = evidence;
  const decision = decidePlay({ layers, flagged: flags.length > 0, precise, reachable });
  return {
    layers,
    missing: listMissingFacts(model, work),
    ...decision,
    suppressed_by: explainSuppression(decision, flags, disqualifying),
    flags,
    ...computePriority(model.weights, layers),
    icp_model: model.version === 0 ? null : formatModelId(model),
    tier: toTier(layers.fit.score, model.scale),
    band: toBand(layers.intent.score, model.scale),
  };
}

/**
 * Computes priority = sum of weight * score over the known layers / sum of their weights; unknown layers have no
 * effect. Its confidence is the sum of weight * coverage over the known layers.
 */
export function computePriority(
  weights: IcpModel['weights'],
  layers: Readonly<Record<LayerName, Pick<Layer, 'score' | 'coverage'>>>,
): Pick<LeadScore, 'priority' | 'priority_confidence'> {
  let [weight, points, covered] = [0, 0, 0];
  for (const name of LAYERS) {
    const { score, coverage } = layers[name];
    if (score === null) continue;
    weight += weights[name];
    points += weights[name] * score;
    covered += weights[name] * coverage;
  }
  return { priority: weight > 0 ? Math.round(points / weight) : null, priority_confidence: roundTo4(covered) };
}

/** Layers of a lead about which nothing is known. */
export const UNKNOWN_LAYERS: LeadScore['layers'] = {
  fit: UNKNOWN_LAYER,
  pain: UNKNOWN_LAYER,
  intent: UNKNOWN_LAYER,
  ability: UNKNOWN_LAYER,
};

function findFlags(model: IcpModel, evidence: Evidence, disqualified: boolean): HardFlag[] {
  const flags = [...evidence.flags];
  if (disqualified) flags.push('disqualified');
  if (evidence.domains.some(domain => model.suppress.has(domain))) flags.push('suppressed');
  return flags;
}
