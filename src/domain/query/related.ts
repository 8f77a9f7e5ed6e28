import type { QueryTerm } from '#domain/text/bm25.js';

/** What a neighbouring concept counts beside a word that was typed (1). */
export const RELATED_WEIGHT = 0.2;

/** Concepts that are not the same and are told of the same thing: who objects to a price finds it expensive. */
const relatedConcepts: readonly (readonly string[])[] = [['price', 'expensive', 'cheap', 'discount', 'price-increase']];

const neighbours = new Map<string, ReadonlySet<string>>();
for (const group of relatedConcepts) {
  for (const concept of group) neighbours.set(`~${concept}`, new Set(group.map(other => `~${other}`)));
}

/** The terms of a question with the neighbours of its concepts behind them, at {@link RELATED_WEIGHT}. */
export function expandRelated(terms: readonly QueryTerm[]): QueryTerm[] {
  const asked = new Set(terms.map(({ token }) => token));
  const related = new Set(terms.flatMap(({ token }) => [...(neighbours.get(token) ?? [])]));
  return [...terms, ...[...related.difference(asked)].map(token => ({ token, weight: RELATED_WEIGHT }))];
}
