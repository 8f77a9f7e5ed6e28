import type { Json } from '../schema.js';

/**
 * The entity that a focus of `findMany` identifies, or the people who share a phone number.
 * @example found?.status === 'one' ? found.entity_id : undefined
 */
export type FoundEntity =
  | { readonly status: 'one'; readonly entity_id: string; readonly type: 'person' | 'company' }
  | { readonly status: 'ambiguous'; readonly entity_ids: readonly string[] };

/**
 * Result of `find`; `null` if no entity matches.
 * @example
 * ```ts
 * const found = await hub.graph.find('ada@acme.io');
 * if (found?.status === 'one' && found.entity.claims['title']?.confidence > 0.7) …
 * ```
 */
export type LookupResult =
  | { readonly status: 'one'; readonly entity: EntitySummary }
  | {
      readonly status: 'ambiguous';
      readonly candidates: readonly { readonly entity_id: string; readonly name: string | null }[];
    }
  | null;

/**
 * An entity with its claims.
 * @example const title = entity.claims['title']?.value;
 */
export interface EntitySummary {
  readonly id: string;
  readonly type: 'person' | 'company';
  readonly name: string | null;
  readonly email: string | null;
  readonly title: string | null;
  readonly company: string | null;
  /** By property. */
  readonly claims: Readonly<Record<string, ClaimSummary>>;
}

/**
 * A derived fact with its confidence.
 * @example if (claim.freshness === 'fresh' && claim.confidence > 0.7) …
 */
export interface ClaimSummary {
  readonly value: Json;
  /** 0 to 1. */
  readonly confidence: number;
  readonly freshness: string;
  readonly epistemic_class: string;
}
