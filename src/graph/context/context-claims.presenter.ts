import type { OwnedClaim } from '#domain/context/claim-candidates.js';
import { formatClaimRef } from '#domain/context/claim-candidates.js';
import type { ContextItem } from '#domain/context/compose-context.js';
import type { PresentedClaim } from '../accounts/accounts.presenter.js';
import {
  toSentence,
  type FactSentence,
  isFact,
  MAX_FACT_SENTENCES,
  compareNewestFirst,
} from '../accounts/account-facts.js';

/** Reference, rank and caution of an item in the response. */
export interface ContextItemMeta {
  readonly ref_id: string;
  /** Rank score, 0 to 1. */
  readonly score: number;
  readonly caution?: string;
  readonly why?: string;
}

/** A claim in the context, without the details that the account endpoint returns. */
export type ContextClaim = ContextItemMeta &
  Omit<
    PresentedClaim,
    'history' | 'values' | 'sources' | 'opposing' | 'value_type' | 'trust_version' | 'refresh_due_at' | 'decays_at'
  > & {
    readonly sources: readonly {
      readonly observation_id: string;
      readonly source: string;
      readonly observed_at: string;
    }[];
    /** Of a contested claim: the conflicting observations. */
    readonly opposing?: readonly {
      readonly observation_id: string;
      readonly source: string;
      readonly value: unknown;
    }[];
  };

/** A signal or note claim, worded as a sentence. */
export type ContextFact = ContextItemMeta & FactSentence;

/** Maximum number of supporting observations per claim; those with the highest weight. */
const MAX_SOURCES = 3;

/** Converts a claim to its shape in the context. */
export function presentContextClaim(claim: PresentedClaim & OwnedClaim, meta: ContextItemMeta): ContextClaim {
  const { entity_id, property, value, status, confidence, freshness, freshness_score, epistemic_class } = claim;
  const { valid_from, valid_to, last_observed_at, observation_count, sources, opposing } = claim;
  return {
    ...meta,
    entity_id,
    property,
    value,
    status,
    confidence,
    freshness,
    freshness_score,
    epistemic_class,
    valid_from,
    valid_to,
    last_observed_at,
    observation_count,
    sources: sources
      .slice(0, MAX_SOURCES)
      .map(({ observation_id, source, observed_at }) => ({ observation_id, source, observed_at })),
    ...(epistemic_class === 'contested' && {
      opposing: opposing.slice(0, MAX_SOURCES).map(other => ({
        observation_id: other.observation_id,
        source: other.source,
        value: other.value,
      })),
    }),
  };
}

/** Returns the selected signals and notes as sentences, newest first. */
export function presentContextFacts(
  claims: readonly OwnedClaim[],
  itemMeta: ReadonlyMap<string, ContextItemMeta>,
): ContextFact[] {
  return claims
    .flatMap(claim => {
      const meta = itemMeta.get(formatClaimRef(claim));
      if (!meta || !isFact(claim)) return [];
      return [{ ...meta, ...toSentence(claim) }];
    })
    .sort(compareNewestFirst)
    .slice(0, MAX_FACT_SENTENCES);
}

/** Returns the metadata of a ranked item. @param explain whether to include the reason for its rank. */
export function toItemMeta({ ref_id, score, caution, why }: ContextItem, explain: boolean): ContextItemMeta {
  return { ref_id, score, ...(caution && { caution }), ...(explain && { why }) };
}
