import type { JsonValue } from '../observation/observation.js';
import { type ModelProblem, ModelFieldReader } from './model-field-reader.js';

/** Minimum Fit score of an ideal customer. */
const MIN_ICP_FIT = 70;

const TIERS = ['tier_1', 'tier_2', 'tier_3'] as const;
const BANDS = ['Red-hot', 'Hot', 'Warm', 'Aware'] as const;

/** Tier of a Fit score; `not_icp` below the lowest tier. */
export type Tier = (typeof TIERS)[number] | 'not_icp';

/** Band of an Intent score; `Dormant` below the lowest band. */
export type Band = (typeof BANDS)[number] | 'Dormant';

/** Minimum score of each tier and band, the highest first: 0..100, each below the one before. */
export interface ScoreScale {
  /** Minimum Fit scores. */
  readonly tiers: Readonly<Record<(typeof TIERS)[number], number>>;
  /** Minimum Intent scores. */
  readonly bands: Readonly<Record<(typeof BANDS)[number], number>>;
}

/** Scale of a workspace that has set none. */
export const DEFAULT_SCALE: ScoreScale = {
  tiers: { tier_1: 85, tier_2: 70, tier_3: 50 },
  bands: { 'Red-hot': 85, Hot: 70, Warm: 50, Aware: 20 },
};

/** Returns whether a Fit score is that of an ideal customer; null if it is unknown. */
export function isIcpFit(score: number | null): boolean | null {
  return score === null ? null : score >= MIN_ICP_FIT;
}

/** Returns the tier of a Fit score; null if it is unknown. */
export function toTier(score: number | null, { tiers }: ScoreScale): Tier | null {
  return score === null ? null : (TIERS.find(tier => score >= tiers[tier]) ?? 'not_icp');
}

/** Returns the band of an Intent score; null if it is unknown. */
export function toBand(score: number | null, { bands }: ScoreScale): Band | null {
  return score === null ? null : (BANDS.find(band => score >= bands[band]) ?? 'Dormant');
}

/** Parses `tiers` and `bands` of a model. Missing values have their defaults; problems are appended to `problems`. */
export function parseScale(model: ModelFieldReader, problems: ModelProblem[]): ScoreScale {
  return {
    tiers: parseSteps(model, 'tiers', TIERS, DEFAULT_SCALE.tiers, problems),
    bands: parseSteps(model, 'bands', BANDS, DEFAULT_SCALE.bands, problems),
  };
}

function parseSteps<Word extends string>(
  model: ModelFieldReader,
  name: string,
  words: readonly Word[],
  usual: Readonly<Record<Word, number>>,
  problems: ModelProblem[],
): Readonly<Record<Word, number>> {
  const given: JsonValue | undefined = model.get(name);
  if (given === undefined) return usual;
  const before = problems.length;
  const part = new ModelFieldReader(given, `${model.path}.${name}`, problems, words);
  const steps = words.map(word => [word, part.number(word, 0, 100, usual[word])] as const);
  if (problems.length > before) return usual;
  steps.slice(1).forEach(([word, least], i) => {
    const [above, highest] = steps[i]!;
    if (least >= highest) part.report(word, `must be below ${above}, which begins at ${highest}; it is ${least}.`);
  });
  return Object.fromEntries(steps) as Readonly<Record<Word, number>>;
}
