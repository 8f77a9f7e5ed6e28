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

/**
 * An entity with claims that were requested by `readMany`.
 * @example const title = entity.claims['title'];
 */
export interface EntityWithClaims {
  /** The entity as it is known now: one that was merged away has the ID of the other one. */
  readonly entity_id: string;
  readonly type: 'person' | 'company';
  readonly name: string | null;
  /** E-mail addresses of a person, the oldest first. */
  readonly emails: readonly string[];
  /** Domains of a company, the oldest first. */
  readonly domains: readonly string[];
  /** IDs in other systems, the oldest first. */
  readonly external_ids: readonly { readonly system: string; readonly id: string }[];
  /** By property. Properties of which nothing was ever stated are missing. */
  readonly claims: Readonly<Record<string, CurrentClaim>>;
}

/**
 * A claim with what it rests on.
 * @example if (claim.safe_to_use && claim.source !== 'acme-crm') fields[property] = claim.value;
 */
export interface CurrentClaim extends ClaimSummary {
  /** Null if the fact has ended. */
  readonly value: Json;
  /** Source with the strongest support. */
  readonly source: string | null;
  /** All sources that support it. */
  readonly sources: readonly string[];
  /** Time of the newest support, ISO 8601. */
  readonly observed_at: string;
  /** Whether it can be acted on without checking: current, fresh, confidence above 0.7, neither contested nor only inferred. */
  readonly safe_to_use: boolean;
}
