import type { QueryTerm } from '#domain/text/bm25.js';

/** Weight of a related concept; a typed word has 1. */
export const RELATED_WEIGHT = 0.2;

/** Concepts that are not the same but occur in the same context: an objection to a price says "expensive". */
const relatedConcepts: readonly (readonly string[])[] = [['price', 'expensive', 'cheap', 'discount', 'price-increase']];

const neighbours = new Map<string, ReadonlySet<string>>();
for (const group of relatedConcepts) {
  for (const concept of group) neighbours.set(`~${concept}`, new Set(group.map(other => `~${other}`)));
}

/** Adds the related concepts of a question's terms, with {@link RELATED_WEIGHT}. */
export function expandRelated(terms: readonly QueryTerm[]): QueryTerm[] {
  const asked = new Set(terms.map(({ token }) => token));
  const related = new Set(terms.flatMap(({ token }) => [...(neighbours.get(token) ?? [])]));
  return [...terms, ...[...related.difference(asked)].map(token => ({ token, weight: RELATED_WEIGHT }))];
}
