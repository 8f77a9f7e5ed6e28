/** A candidate with its relevance (any scale that starts at 0) and its tokens. */
export interface MmrCandidate {
  readonly score: number;
  readonly tokens: readonly string[];
}

/** Weight of relevance; the rest is novelty. */
const LAMBDA = 0.7;

/**
 * Selects up to `count` candidates by maximal marginal relevance (Carbonell and Goldstein 1998), greedily: each step
 * takes the one with the highest lambda * score / highest score - (1 - lambda) * greatest similarity to those selected
 * so far. Similarity is the Jaccard index of tokens. Ties go to the first.
 * @returns indexes into `candidates`, in the order of selection.
 */
export function mmr(candidates: readonly MmrCandidate[], count = candidates.length, lambda = LAMBDA): number[] {
  const best = Math.max(...candidates.map(({ score }) => score), Number.MIN_VALUE);
  const sets = candidates.map(({ tokens }) => new Set(tokens));
  const likeness = candidates.map(() => 0);
  const left = new Set(candidates.keys());
  const chosen: number[] = [];
  const worth = (i: number) => (lambda * candidates[i]!.score) / best - (1 - lambda) * likeness[i]!;
  while (chosen.length < count && left.size > 0) {
    const next = [...left].reduce((one, other) => (worth(other) > worth(one) ? other : one));
    left.delete(next);
    chosen.push(next);
    for (const i of left) likeness[i] = Math.max(likeness[i]!, jaccard(sets[i]!, sets[next]!));
  }
  return chosen;
}

/** Returns the Jaccard index of two sets, 0 to 1; 0 if both are empty. */
export function jaccard(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  let shared = 0;
  for (const token of small) if (large.has(token)) shared++;
  return shared === 0 ? 0 : shared / (one.size + other.size - shared);
}
