/** One thing that is asked for. */
export interface QueryTerm {
  readonly token: string;
  /** 1 for a word that was typed, less for one that was guessed. */
  readonly weight: number;
}

/** Saturation by repeats, and how far long documents are held back. */
export const BM25_K1 = 1.2;
export const BM25_B = 0.75;

/** Share of its neighbours' scores that a passage gets on top: what is talked about goes on. */
export const NEIGHBOUR_BOOST = 0.35;

/** Every distinct token of a question, each with the same weight. */
export function literalTerms(tokens: readonly string[]): QueryTerm[] {
  return [...new Set(tokens)].map(token => ({ token, weight: 1 }));
}

/**
 * Scores every document (a list of tokens) for a query by Okapi BM25 with idf = ln(1 + (N - df + 0.5) / (df + 0.5)),
 * which is never negative; N and df are those of the documents given. 0 means: nothing in common. Linear in tokens.
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

/** How much a term tells that `df` of `n` documents have. */
export function idf(n: number, df: number): number {
  return Math.log(1 + (n - df + 0.5) / (df + 0.5));
}

/** What `tf` occurrences count, 0 to K1 + 1; 1 for a single one in a document of average length. */
export function saturation(tf: number, relativeLength: number): number {
  return (tf * (BM25_K1 + 1)) / (tf + BM25_K1 * (1 - BM25_B + BM25_B * relativeLength));
}

/** The scores of passages in their order, each lifted by {@link NEIGHBOUR_BOOST} of the ones beside it. */
export function neighbourBoost(scores: readonly number[]): number[] {
  return scores.map((score, i) => score + NEIGHBOUR_BOOST * ((scores[i - 1] ?? 0) + (scores[i + 1] ?? 0)));
}

function countTokens(tokens: readonly string[], wanted: ReadonlySet<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens) if (wanted.has(token)) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}
