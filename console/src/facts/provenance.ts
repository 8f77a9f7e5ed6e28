import type { Schemas } from '../api/schemas.ts';

type Facet = Schemas['Facet'];
type FacetSource = Schemas['FacetSource'];

/** The facts about one property, by source. */
export interface ProvenanceRow {
  readonly property: string;
  readonly claims: number;
  /** Facts that one source alone supports. */
  readonly alone: number;
  /** One per source of the map; undefined where it states nothing. */
  readonly cells: readonly (FacetSource | undefined)[];
}

/** Sources by properties. */
export interface ProvenanceMap {
  /** The one with the most facts first. */
  readonly sources: readonly string[];
  readonly rows: readonly ProvenanceRow[];
}

/** Returns the map of the properties that have facts, in the order of the hub: the most frequent first. */
export function toMap(facets: readonly Facet[]): ProvenanceMap {
  const claimsOf = new Map<string, number>();
  for (const { source, claims } of facets.flatMap(facet => facet.sources))
    claimsOf.set(source, (claimsOf.get(source) ?? 0) + claims);
  const sources = [...claimsOf]
    .toSorted(([one, ofOne], [other, ofOther]) => ofOther - ofOne || (one < other ? -1 : 1))
    .map(([source]) => source);
  const rows = facets
    .filter(({ claims }) => claims > 0)
    .map(({ property, claims, sources: own }) => ({
      property,
      claims,
      alone: own.reduce((sum, { only_source }) => sum + only_source, 0),
      cells: sources.map(name => own.find(({ source }) => source === name)),
    }));
  return { sources, rows };
}
