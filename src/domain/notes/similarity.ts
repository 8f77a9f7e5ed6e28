const PRECISION = 10_000;

/**
 * How near a passage comes to a question, 0 to 1 with four decimals, from its lexical score: 1 - 2^(-2 * score / ideal),
 * where `ideal` is the score of a passage of average length that has every term of the question once. So half of what
 * was asked is 0.5, all of it 0.75, and more where the terms come again or next to it.
 */
export function computeLexicalSimilarity(score: number, ideal: number): number {
  return ideal > 0 ? roundSimilarity(1 - 2 ** ((-2 * score) / ideal)) : 0;
}

/** Four decimals, kept between 0 and 1. */
export function roundSimilarity(similarity: number): number {
  return Math.round(Math.min(1, Math.max(0, similarity)) * PRECISION) / PRECISION;
}
