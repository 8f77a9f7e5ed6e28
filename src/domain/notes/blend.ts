import { roundSimilarity } from './similarity.js';

/** Share of words in a blended similarity; the rest is meaning. */
const LEXICAL_SHARE = 0.7;

/**
 * The similarity of a note by words and meaning: 0.7 * lexical + 0.3 * cosine, each 0 to 1, with four decimals. Scores
 * are blended, not ranks: fusing ranks lets the weaker of the two rankings count as much as the better one.
 */
export function blendSimilarity(lexical: number, cosine: number): number {
  return roundSimilarity(LEXICAL_SHARE * lexical + (1 - LEXICAL_SHARE) * Math.max(0, cosine));
}
