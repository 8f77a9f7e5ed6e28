import { roundTo4 } from '../claims/confidence.js';
import type { JsonValue } from '../observation/observation.js';
import type { RawRule } from './compose-model.js';
import { MAX_BINS } from '../score/parse-model.js';
import { COMPARED_PROPERTIES, type ComparedProperty, type CustomerExample, readComparedValue } from './example-bins.js';

/** Minimum number of won and of lost customers to learn from. */
export const MIN_EXAMPLES = 10;

/** Scorecards learned from won and lost customers. */
export interface LearnedScorecards {
  /** One rule for each property that tells won from lost. */
  readonly rules: readonly RawRule[];
  readonly won: number;
  readonly lost: number;
  /** Area under the ROC curve on examples that were held out, 0..1: 0.5 is chance. */
  readonly heldOutAuc: number;
}

/** Won customers that what the description asks for counts as. */
const DESCRIBED_CUSTOMERS = 5;
/** Properties whose bins differ less than this in log-odds tell nothing. */
const MIN_SPREAD = 0.2;
const FOLDS = 5;

/**
 * Learns a scorecard for each compared property by weights of evidence: the logarithm of how much more often won
 * customers have a value than lost ones. Each bin counts as one customer more on both sides (Laplace), so that few
 * examples move it little, and what the description asks for counts as some customers won. The sum over all properties
 * is that of naive Bayes.
 * @param wanted rules of the description that are not exclusions.
 */
export function learnScorecards(
  won: readonly CustomerExample[],
  lost: readonly CustomerExample[],
  wanted: readonly RawRule[],
): LearnedScorecards {
  return {
    rules: fitScorecards(won, lost, wanted).map(toRule),
    won: won.length,
    lost: lost.length,
    heldOutAuc: roundTo4(measureHeldOut(won, lost, wanted)),
  };
}

/** How often won and lost customers have a value, and its weight of evidence. */
interface Bin {
  readonly name: string;
  readonly won: number;
  readonly lost: number;
  readonly evidence: number;
}

interface FittedScorecard {
  readonly compared: ComparedProperty;
  /** Sorted by name. */
  readonly bins: readonly Bin[];
  /** Number of won and lost customers whose value is known. */
  readonly won: number;
  readonly lost: number;
}

function fitScorecards(
  won: readonly CustomerExample[],
  lost: readonly CustomerExample[],
  wanted: readonly RawRule[],
): FittedScorecard[] {
  return COMPARED_PROPERTIES.map(compared => fitScorecard(compared, won, lost, wanted)).filter(
    ({ bins }) => spreadOf(bins) >= MIN_SPREAD,
  );
}

function fitScorecard(
  compared: ComparedProperty,
  won: readonly CustomerExample[],
  lost: readonly CustomerExample[],
  wanted: readonly RawRule[],
): FittedScorecard {
  const [ofWon, ofLost] = [countBins(compared, won), countBins(compared, lost)];
  const described = listDescribedBins(compared, wanted);
  const names = [
    ...new Set([...(compared.fixedBins ?? []), ...ofWon.counts.keys(), ...ofLost.counts.keys(), ...described]),
  ].sort(byBinName);
  const bonus = described.length > 0 ? DESCRIBED_CUSTOMERS / described.length : 0;
  const allWon = ofWon.known + bonus * described.length + names.length;
  const allLost = ofLost.known + names.length;
  const bins = names.map(name => {
    const [inWon, inLost] = [ofWon.counts.get(name) ?? 0, ofLost.counts.get(name) ?? 0];
    const shareOfWon = (inWon + (described.includes(name) ? bonus : 0) + 1) / allWon;
    const shareOfLost = (inLost + 1) / allLost;
    return { name, won: inWon, lost: inLost, evidence: Math.log(shareOfWon / shareOfLost) };
  });
  return { compared, bins: keepMostFrequent(bins), won: ofWon.known, lost: ofLost.known };
}

/** A scorecard has at most {@link MAX_BINS}; the values of rarer ones count as the average customer. */
function keepMostFrequent(bins: readonly Bin[]): readonly Bin[] {
  if (bins.length <= MAX_BINS) return bins;
  const bySize = bins.toSorted((one, other) => other.won + other.lost - one.won - one.lost);
  const frequent = new Set(bySize.slice(0, MAX_BINS));
  return bins.filter(bin => frequent.has(bin));
}

/** Numbers by size, other bins by name: the order in which a rule tries its bins. */
function byBinName(one: string, other: string): number {
  const difference = Number(one) - Number(other);
  if (!Number.isNaN(difference)) return difference;
  return one < other ? -1 : Number(one > other);
}

/** Counts the bins of examples whose value is known. An example with several bins counts for the first. */
function countBins(compared: ComparedProperty, examples: readonly CustomerExample[]) {
  const counts = new Map<string, number>();
  let known = 0;
  for (const example of examples) {
    const value = readComparedValue(example, compared);
    const bin = value === undefined ? undefined : compared.listBins(value)[0];
    if (bin === undefined) continue;
    known += 1;
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  return { counts, known };
}

/** Returns the bins of the values that the description lists for a property. */
function listDescribedBins({ property, listBins }: ComparedProperty, wanted: readonly RawRule[]): string[] {
  const values = wanted
    .filter(rule => rule['property'] === property)
    .flatMap(({ op, value }) =>
      op === 'in' || op === 'contains_any' || op === 'between' ? (value as JsonValue[]) : [],
    );
  return [...new Set(values.flatMap(value => listBins(value).slice(0, 1)))];
}

function spreadOf(bins: readonly Bin[]): number {
  const weights = bins.map(({ evidence }) => evidence);
  return Math.max(0, ...weights) - Math.min(0, ...weights);
}

function toRule({ compared: { on, property, op, toOperand }, bins, won, lost }: FittedScorecard): RawRule {
  const least = Math.min(0, ...bins.map(({ evidence }) => evidence));
  const spread = spreadOf(bins);
  const toShare = (evidence: number) => roundTo4((evidence - least) / spread);
  return {
    on,
    property,
    op: 'scorecard',
    weight: roundTo4(spread),
    value: {
      bins: bins.map(bin => ({
        op,
        value: toOperand(bin.name),
        share: toShare(bin.evidence),
        evidence: `${bin.won} of ${won} won customers, ${bin.lost} of ${lost} lost ones`,
      })),
      average: toShare(0),
    },
  };
}

/** Returns the log-odds of a customer; an unknown value adds nothing. */
function sumEvidence(scorecards: readonly FittedScorecard[], example: CustomerExample): number {
  return scorecards.reduce((sum, { compared, bins }) => {
    const value = readComparedValue(example, compared);
    const names = value === undefined ? [] : compared.listBins(value);
    return sum + (bins.find(({ name }) => names.includes(name))?.evidence ?? 0);
  }, 0);
}

/** Fits on four fifths of the examples at a time, and ranks the others. */
function measureHeldOut(
  won: readonly CustomerExample[],
  lost: readonly CustomerExample[],
  wanted: readonly RawRule[],
): number {
  const aucs = Array.from({ length: FOLDS }, (_, fold) => {
    const isHeld = (_example: CustomerExample, i: number) => i % FOLDS === fold;
    const isUsed = (_example: CustomerExample, i: number) => i % FOLDS !== fold;
    const fitted = fitScorecards(won.filter(isUsed), lost.filter(isUsed), wanted);
    const score = (example: CustomerExample) => sumEvidence(fitted, example);
    return computeAuc(won.filter(isHeld).map(score), lost.filter(isHeld).map(score));
  });
  return aucs.reduce((sum, auc) => sum + auc, 0) / aucs.length;
}

/**
 * Computes the area under the ROC curve: the share of pairs in which the won customer scores higher; ties count half
 * (Mann-Whitney U).
 */
export function computeAuc(won: readonly number[], lost: readonly number[]): number {
  const sorted = [...won.map(score => ({ score, isWon: true })), ...lost.map(score => ({ score, isWon: false }))].sort(
    (a, b) => a.score - b.score,
  );
  let rankSum = 0;
  for (let i = 0; i < sorted.length;) {
    let end = i;
    while (end < sorted.length && sorted[end]!.score === sorted[i]!.score) end += 1;
    const rank = (i + 1 + end) / 2;
    rankSum += rank * sorted.slice(i, end).filter(({ isWon }) => isWon).length;
    i = end;
  }
  return (rankSum - (won.length * (won.length + 1)) / 2) / (won.length * lost.length);
}
