import type { Instant } from '#domain/time/instant.js';

/** What can want attention. */
export const KINDS = [
  'upcoming_meeting',
  'going_dark',
  'decayed_fact',
  'open_commitment',
  'work_now',
  'contested_claim',
  'merge_proposal',
  'play_changed',
] as const;

/** One of {@link KINDS}. */
export type AttentionKind = (typeof KINDS)[number];

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
const MOST_PER_ENTITY = 3;

/** The id of an item: the same thing has the same one every time. */
export function idOf({ kind, entityId, about }: AttentionItem): string {
  return `${kind}:${entityId}:${about}`;
}

/** Most urgent first, then what has lasted longest, then by id; at most three of one entity, which are chosen first. */
export function ranked(items: readonly AttentionItem[]): AttentionItem[] {
  const byEntity = Map.groupBy(items, ({ entityId }) => entityId);
  const chosen = [...byEntity.values()].flatMap(own =>
    own.length <= MOST_PER_ENTITY ? own : own.toSorted(byUrgency).slice(0, MOST_PER_ENTITY),
  );
  return chosen.sort(byUrgency);
}

/** Where an item stands. */
export interface Rank {
  readonly urgency: number;
  readonly since: Instant;
  readonly id: string;
}

/** The rank of an item. */
export function rankOf(item: AttentionItem): Rank {
  return { urgency: item.urgency, since: item.since, id: idOf(item) };
}

/** Negative when one stands before the other. */
export function compareRank(one: Rank, other: Rank): number {
  return other.urgency - one.urgency || one.since - other.since || byText(one.id, other.id);
}

/** As `compareRank`, without making ids: no kind begins with another one, and ids of entities are equally long. */
function byUrgency(one: AttentionItem, other: AttentionItem): number {
  return (
    other.urgency - one.urgency ||
    one.since - other.since ||
    byText(one.kind, other.kind) ||
    byText(one.entityId, other.entityId) ||
    byText(one.about, other.about)
  );
}

function byText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
