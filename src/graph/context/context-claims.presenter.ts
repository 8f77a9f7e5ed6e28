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

/** What every told thing says of its place. */
export interface ContextItemMeta {
  readonly ref_id: string;
  /** 0..1. */
  readonly score: number;
  readonly caution?: string;
  readonly why?: string;
}

/** A claim as context shows it: enough to judge it; the whole of it is in the account. */
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
    /** Of a contested claim: what others say. */
    readonly opposing?: readonly {
      readonly observation_id: string;
      readonly source: string;
      readonly value: unknown;
    }[];
  };

/** A signal or single note as a sentence. */
export type ContextFact = ContextItemMeta & FactSentence;

/** Supporting observations that are shown, the heaviest. */
const MAX_SOURCES = 3;

/** A claim as context shows it. */
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

/** Signals and single notes as sentences, the newest first. */
export function presentContextFacts(
  claims: readonly OwnedClaim[],
  itemMeta: ReadonlyMap<string, ContextItemMeta>,
): ContextFact[] {
  return claims
    .flatMap(claim => {
      const place = itemMeta.get(formatClaimRef(claim));
      if (!place || !isFact(claim)) return [];
      return [{ ...place, ...toSentence(claim) }];
    })
    .sort(compareNewestFirst)
    .slice(0, MAX_FACT_SENTENCES);
}

/** What an item says of its place in a group. */
export function toItemMeta({ ref_id, score, caution, why }: ContextItem, explain: boolean): ContextItemMeta {
  return { ref_id, score, ...(caution && { caution }), ...(explain && { why }) };
}
