/** A term of a query. */
export interface QueryTerm {
  readonly token: string;
  /** 1 for a typed word, less for an inferred one. */
  readonly weight: number;
}

/** Term frequency saturation (k1) and length normalisation (b) of BM25. */
export const BM25_K1 = 1.2;
export const BM25_B = 0.75;

/** Share of its neighbours' scores that a passage gains, because a topic continues. */
export const NEIGHBOUR_BOOST = 0.35;

/** Returns each distinct token of a question with weight 1. */
export function literalTerms(tokens: readonly string[]): QueryTerm[] {
  return [...new Set(tokens)].map(token => ({ token, weight: 1 }));
}

/**
 * Scores documents (lists of tokens) for a query by Okapi BM25 with idf = ln(1 + (N - df + 0.5) / (df + 0.5)), which is
 * never negative. N and df are those of the given documents. 0 means no common term. Linear in the number of tokens.
 */
export function bm25(query: readonly QueryTerm[], documents: readonly (readonly string[])[]): number[] {
  const average = documents.reduce((sum, tokens) => sum + tokens.length, 0) / documents.length || 1;
  const wanted = new Set(query.map(({ token }) => token));
  const counts = documents.map(tokens => countTokens(tokens, wanted));
  const scores = documents.map(() => 0);
  for (const { token, weight } of query) {
    const df = counts.filter(count => count.has(token)).length;
    const importance = weight * idf(documents.length, df);
    for (const [i, count] of counts.entries()) {
      scores[i]! += importance * saturation(count.get(token) ?? 0, documents[i]!.length / average);
    }
  }
  return scores;
}

/** Returns the inverse document frequency of a term that `df` of `n` documents contain. */
export function idf(n: number, df: number): number {
  return Math.log(1 + (n - df + 0.5) / (df + 0.5));
}

/** Returns the weight of `tf` occurrences, 0 to k1 + 1; 1 for a single one in a document of average length. */
export function saturation(tf: number, relativeLength: number): number {
  return (tf * (BM25_K1 + 1)) / (tf + BM25_K1 * (1 - BM25_B + BM25_B * relativeLength));
}

/** Returns the scores of consecutive passages, each raised by {@link NEIGHBOUR_BOOST} of its neighbours' scores. */
export function neighbourBoost(scores: readonly number[]): number[] {
  return scores.map((score, i) => score + NEIGHBOUR_BOOST * ((scores[i - 1] ?? 0) + (scores[i + 1] ?? 0)));
}

function countTokens(tokens: readonly string[], wanted: ReadonlySet<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens) if (wanted.has(token)) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}
