import { roundSimilarity } from './similarity.js';

/** Lexical share of a blended similarity; the rest is semantic. */
const LEXICAL_SHARE = 0.7;

/**
 * Returns the similarity of a note by words and meaning: 0.7 * lexical + 0.3 * cosine, each 0 to 1, with four decimals.
 * Blends scores instead of ranks: rank fusion lets the weaker ranking count as much as the better one.
 */
export function blendSimilarity(lexical: number, cosine: number): number {
  return roundSimilarity(LEXICAL_SHARE * lexical + (1 - LEXICAL_SHARE) * Math.max(0, cosine));
}
