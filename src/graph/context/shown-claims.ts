import type { OwnedClaim } from '#domain/context/claim-candidates.js';
import { refOfClaim } from '#domain/context/claim-candidates.js';
import type { ContextItem } from '#domain/context/compose.js';
import type { ShownClaim } from '../accounts/account.js';
import { factInWords, type FactInWords, isFact, MOST_FACTS, newestFirst } from '../accounts/account-facts.js';

/** What every told thing says of its place. */
export interface Told {
  readonly ref_id: string;
  /** 0..1. */
  readonly score: number;
  readonly caution?: string;
  readonly why?: string;
}

/** A claim as context shows it: enough to judge it; the whole of it is in the account. */
export type ContextClaim = Told &
  Omit<
    ShownClaim,
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
export type ContextFact = Told & FactInWords;

/** Supporting observations that are shown, the heaviest. */
const SOURCES = 3;

/** A claim as context shows it. */
export function showContextClaim(claim: ShownClaim & OwnedClaim, told: Told): ContextClaim {
  const { entity_id, property, value, status, confidence, freshness, freshness_score, epistemic_class } = claim;
  const { valid_from, valid_to, last_observed_at, observation_count, sources, opposing } = claim;
  return {
    ...told,
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
      .slice(0, SOURCES)
      .map(({ observation_id, source, observed_at }) => ({ observation_id, source, observed_at })),
    ...(epistemic_class === 'contested' && {
      opposing: opposing.slice(0, SOURCES).map(other => ({
        observation_id: other.observation_id,
        source: other.source,
        value: other.value,
      })),
    }),
  };
}

/** Signals and single notes as sentences, the newest first. */
export function factsAmong(claims: readonly OwnedClaim[], told: ReadonlyMap<string, Told>): ContextFact[] {
  return claims
    .flatMap(claim => {
      const place = told.get(refOfClaim(claim));
      if (!place || !isFact(claim)) return [];
      return [{ ...place, ...factInWords(claim) }];
    })
    .sort(newestFirst)
    .slice(0, MOST_FACTS);
}

/** What an item says of its place in a group. */
export function toldOf({ ref_id, score, caution, why }: ContextItem, explain: boolean): Told {
  return { ref_id, score, ...(caution && { caution }), ...(explain && { why }) };
}
