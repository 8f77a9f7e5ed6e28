import type { Instant } from '#domain/time/instant.js';

/** What can want attention. */
export const ATTENTION_KINDS = [
  'upcoming_meeting',
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

/** Something that wants attention. */
export interface AttentionItem {
  readonly kind: AttentionKind;
  readonly entityId: string;
  /** Tells items of one kind and entity apart: a property, a meeting, the other side of a merge. */
  readonly about: string;
  /** 0 to 100, one decimal. */
  readonly urgency: number;
  readonly since: Instant;
  /** What is the case, as a part of a sentence that begins with the entity's name. */
  readonly what: string;
  readonly action: string;
  /** Observations it rests on. */
  readonly evidence: readonly string[];
  /** The claim it rests on, by property, where no observation is named. */
  readonly claim?: string;
  /** When it takes place or is due. */
  readonly when?: Instant | undefined;
  /** Facts to find out again. */
  readonly missing?: readonly string[];
}

/** Most items of one entity. */
const MAX_ITEMS_PER_ENTITY = 3;

/** The id of an item: the same thing has the same one every time. */
export function formatItemId({ kind, entityId, about }: AttentionItem): string {
  return `${kind}:${entityId}:${about}`;
}

/** Most urgent first, then what has lasted longest, then by id; at most three of one entity, which are chosen first. */
export function rankItems(items: readonly AttentionItem[]): AttentionItem[] {
  const byEntity = Map.groupBy(items, ({ entityId }) => entityId);
  const chosen = [...byEntity.values()].flatMap(own =>
    own.length <= MAX_ITEMS_PER_ENTITY ? own : own.toSorted(compareUrgency).slice(0, MAX_ITEMS_PER_ENTITY),
  );
  return chosen.sort(compareUrgency);
}

/** Where an item stands. */
export interface AttentionRank {
  readonly urgency: number;
  readonly since: Instant;
  readonly id: string;
}

/** The rank of an item. */
export function toAttentionRank(item: AttentionItem): AttentionRank {
  return { urgency: item.urgency, since: item.since, id: formatItemId(item) };
}

/** Negative when one stands before the other. */
export function compareAttentionRank(one: AttentionRank, other: AttentionRank): number {
  return other.urgency - one.urgency || one.since - other.since || compareTexts(one.id, other.id);
}

/** As `compareRank`, without making ids: no kind begins with another one, and ids of entities are equally long. */
function compareUrgency(one: AttentionItem, other: AttentionItem): number {
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
