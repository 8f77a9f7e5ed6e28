import type { Instant } from '../time/instant.js';

/** Kinds of attention items. */
export const ATTENTION_KINDS = [
  'unanswered_reply',
  'callback_due',
  'commitment_due',
  'upcoming_meeting',
  'meeting_without_outcome',
  'going_dark',
  'decayed_fact',
  'open_commitment',
  'work_now',
  'contested_claim',
  'merge_proposal',
  'play_changed',
] as const;

/** One of {@link ATTENTION_KINDS}. */
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** An item of the attention list. */
export interface AttentionItem {
  readonly kind: AttentionKind;
  readonly entityId: string;
  /** Distinguishes items of the same kind and entity: a property, a meeting, the other side of a merge. */
  readonly about: string;
  /** 0 to 100, one decimal. */
  readonly urgency: number;
  readonly since: Instant;
  /** Describes the situation as a sentence part that follows the name of the entity. */
  readonly what: string;
  readonly action: string;
  /** IDs of the observations behind the item. */
  readonly evidence: readonly string[];
  /** Property of the claim behind the item, if no observation is given. */
  readonly claim?: string;
  /** Time at which it takes place or is due. */
  readonly when?: Instant | undefined;
  /** Properties to look up again. */
  readonly missing?: readonly string[];
  /** Of an item about an account: the items about its people that it stands for, most urgent first. */
  readonly people?: readonly AttentionItem[];
}

/** Rounds to one decimal, the precision of urgencies. */
export function roundTo1(number: number): number {
  return Math.round(number * 10) / 10;
}

/** Maximum number of items per entity. */
const MAX_ITEMS_PER_ENTITY = 3;

/** Returns the ID of an item. It is the same each time the item is found. */
export function formatItemId({ kind, entityId, about }: AttentionItem): string {
  return `${kind}:${entityId}:${about}`;
}

/**
 * Returns the items, most urgent first, then the oldest, then by ID. At most three items per entity are kept, the most
 * urgent.
 */
export function rankItems(items: readonly AttentionItem[]): AttentionItem[] {
  const byEntity = Map.groupBy(items, ({ entityId }) => entityId);
  const chosen = [...byEntity.values()].flatMap(own =>
    own.length <= MAX_ITEMS_PER_ENTITY ? own : own.toSorted(compareUrgency).slice(0, MAX_ITEMS_PER_ENTITY),
  );
  return chosen.sort(compareUrgency);
}

/** Position of an item in the list. */
export interface AttentionRank {
  readonly urgency: number;
  readonly since: Instant;
  readonly id: string;
}

/** Returns the rank of an item. */
export function toAttentionRank(item: AttentionItem): AttentionRank {
  return { urgency: item.urgency, since: item.since, id: formatItemId(item) };
}

/** Compares two ranks; negative if the first sorts before the second. */
export function compareAttentionRank(one: AttentionRank, other: AttentionRank): number {
  return other.urgency - one.urgency || one.since - other.since || compareTexts(one.id, other.id);
}

/**
 * Compares like {@link compareAttentionRank} without building IDs. The order is the same: no kind is a prefix of
 * another, and all entity IDs have the same length.
 */
export function compareUrgency(one: AttentionItem, other: AttentionItem): number {
  return (
    other.urgency - one.urgency ||
    one.since - other.since ||
    compareTexts(one.kind, other.kind) ||
    compareTexts(one.entityId, other.entityId) ||
    compareTexts(one.about, other.about)
  );
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
