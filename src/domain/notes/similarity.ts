const PRECISION = 10_000;

/**
 * Returns the similarity of a passage to a question, 0 to 1 with four decimals, from its lexical score: 1 - 2^(-2 *
 * score / ideal), where `ideal` is the score of a passage of average length that has every term of the question once.
 * Half of the terms give 0.5, all 0.75, and repeated or adjacent terms more.
 */
export function computeLexicalSimilarity(score: number, ideal: number): number {
  return ideal > 0 ? roundSimilarity(1 - 2 ** ((-2 * score) / ideal)) : 0;
}

/** Rounds to four decimals and clamps to 0..1. */
export function roundSimilarity(similarity: number): number {
  return Math.round(Math.min(1, Math.max(0, similarity)) * PRECISION) / PRECISION;
}

/** Lexical share of a blended similarity; the rest is semantic. */
const LEXICAL_SHARE = 0.7;

/**
 * Returns the similarity of a note by words and meaning: 0.7 * lexical + 0.3 * cosine, each 0 to 1, with four decimals.
 * Blends scores instead of ranks: rank fusion lets the weaker ranking count as much as the better one.
 */
export function blendSimilarity(lexical: number, cosine: number): number {
  return roundSimilarity(LEXICAL_SHARE * lexical + (1 - LEXICAL_SHARE) * Math.max(0, cosine));
}
