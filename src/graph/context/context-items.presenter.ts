import { type OwnedClaim, formatClaimRef } from '#domain/context/context-candidates.js';
import type { ContextItem } from '#domain/context/compose-context.js';
import type { LoggedEvent } from '#domain/context/key-activity.js';
import { stripEventPrefix } from '#domain/observation/interaction-events.js';
import { toOneLine, summarizeValue } from '#domain/observation/summary.js';
import { DAY_US, type Instant, toIso } from '#domain/time/instant.js';
import {
  type PresentedClaim,
  toSentence,
  type FactSentence,
  isFact,
  MAX_FACT_SENTENCES,
  compareNewestFirst,
} from '../accounts/accounts.presenter.js';

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
    ...(claim.freshness_reason !== undefined && { freshness_reason: claim.freshness_reason }),
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

/** An entry of the timeline: an event, or the number of older events of a type. */
export type ContextEvent =
  | (ContextItemMeta & {
      readonly entity_id: string;
      readonly when: string;
      readonly type: string;
      readonly source: string;
      readonly tier: 'full' | 'brief';
      readonly summary: string | null;
    })
  | { readonly when: ''; readonly type: string; readonly tier: 'count'; readonly count: number };

/** Younger events are shown in full, older ones in brief, and still older ones are counted. In microseconds. */
const FULL_PERIOD = 7 * DAY_US;
const BRIEF_PERIOD = 30 * DAY_US;
const MAX_BRIEF_LENGTH = 100;

/** Returns the selected events, newest first, followed by counts per type of the older events that were not selected. */
export function presentTimeline(
  events: readonly LoggedEvent[],
  itemMeta: ReadonlyMap<string, ContextItemMeta>,
  now: Instant,
): ContextEvent[] {
  const selected = events.flatMap(event => {
    const meta = itemMeta.get(event.id);
    return meta ? [{ event, meta }] : [];
  });
  const older = events.filter(event => !itemMeta.has(event.id) && now - event.happens_at > BRIEF_PERIOD);
  const counts = Map.groupBy(older, event => stripEventPrefix(event.property));
  return [
    ...selected
      .toSorted((a, b) => b.event.happens_at - a.event.happens_at || (a.event.id < b.event.id ? 1 : -1))
      .map(({ event, meta }) => presentEvent(event, meta, now)),
    ...[...counts]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([type, all]) => ({ when: '' as const, type, tier: 'count' as const, count: all.length })),
  ];
}

function presentEvent(event: LoggedEvent, meta: ContextItemMeta, now: Instant): ContextEvent {
  const summary = summarizeValue(event.value);
  const isNew = now - event.happens_at < FULL_PERIOD;
  return {
    ...meta,
    entity_id: event.entity_id,
    when: toIso(event.happens_at),
    type: stripEventPrefix(event.property),
    source: event.source,
    tier: isNew ? 'full' : 'brief',
    summary: summary === null || isNew ? summary : toOneLine(summary, MAX_BRIEF_LENGTH),
  };
}
