import type { Actor } from '#domain/actor/actor.js';
import { type AttentionItem, type AttentionKind, formatItemId } from '#domain/attention/attention-item.js';
import type { AttentionMark } from '#domain/attention/attention-mark.js';
import { readLastPlay } from '#domain/attention/attention-entity.js';
import type { EntityType } from '#domain/identity/focus.js';
import { DAY_US, type Instant, toIso } from '#domain/time/instant.js';
import type { AttentionSubject } from './attention-request.js';

/** An item of the response. */
export interface PresentedItem {
  readonly id: string;
  readonly kind: AttentionKind;
  readonly entity_id: string;
  readonly entity_name: string | null;
  readonly entity_type: EntityType;
  readonly entity: {
    readonly id: string;
    readonly type: EntityType;
    readonly name: string | null;
    readonly company: { readonly id: string; readonly name: string | null } | null;
  };
  /** A sentence without the name of the entity. */
  readonly what: string;
  /** The name of the entity followed by the sentence. */
  readonly headline: string;
  readonly suggested_action: string;
  readonly suggested: { readonly play: string | null; readonly action: string; readonly missing?: readonly string[] };
  /** 0 to 100. */
  readonly urgency: number;
  readonly since: string;
  /** Whole days since `since`. */
  readonly age_days: number;
  readonly when?: string;
  /** IDs of the observations behind the item. */
  readonly evidence: readonly string[];
  /** Who snoozed the item or marked it as done; null for an open item. */
  readonly mark: PresentedMark | null;
  /** Of an item about an account: the people that it stands for, most urgent first. */
  readonly people?: readonly PresentedItemPerson[];
}

/** Somebody that the item of an account stands for. */
export interface PresentedItemPerson {
  readonly entity_id: string;
  readonly entity_name: string | null;
  readonly what: string;
  readonly suggested_action: string;
  readonly urgency: number;
  readonly since: string;
}

/** A mark of an item in a response. */
export interface PresentedMark {
  readonly id: string;
  readonly state: AttentionMark['state'];
  readonly until: string | null;
  readonly note: string | null;
  readonly marked_by: Actor;
  readonly marked_at: string;
}

/** Converts the mark of an item to its response shape. */
export function presentMark(id: string, { state, until, note, markedBy, markedAt }: AttentionMark): PresentedMark {
  return {
    id,
    state,
    until: until === null ? null : toIso(until),
    note,
    marked_by: markedBy,
    marked_at: toIso(markedAt),
  };
}

/** Number of items of each kind, by the field names of the API. */
export type AttentionCounts = Readonly<Record<(typeof COUNT_NAMES)[AttentionKind] | 'total', number>>;

/** Response of the attention endpoint. */
export interface AttentionResponse {
  readonly items: readonly PresentedItem[];
  readonly meta: AttentionCounts;
  readonly limit: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  readonly generated_at: string;
}

const COUNT_NAMES = {
  going_dark: 'going_dark',
  decayed_fact: 'decayed_facts',
  upcoming_meeting: 'upcoming_meetings',
  open_commitment: 'open_commitments',
  unanswered_reply: 'unanswered_replies',
  callback_due: 'callbacks_due',
  commitment_due: 'commitments_due',
  meeting_without_outcome: 'meetings_without_outcome',
  contested_claim: 'contested_claims',
  merge_proposal: 'merge_proposals',
  play_changed: 'plays_changed',
  work_now: 'work_now',
} as const;

/** Counts items by kind. */
export function countByKind(items: readonly AttentionItem[]): AttentionCounts {
  const counts = Object.entries(COUNT_NAMES).map(([kind, name]) => [
    name,
    items.filter(item => item.kind === kind).length,
  ]);
  return { ...(Object.fromEntries(counts) as AttentionCounts), total: items.length };
}

/**
 * Converts an item to its response shape.
 * @param refs IDs of the top observations of claims, by `<entity> <property>`.
 * @param mark set for an item that is snoozed or done.
 */
export function presentItem(
  item: AttentionItem,
  subjects: ReadonlyMap<string, AttentionSubject>,
  refs: ReadonlyMap<string, string>,
  mark: AttentionMark | undefined,
  now: Instant,
): PresentedItem {
  const { kind, entityId, what, action, urgency, since, when, evidence, missing, people } = item;
  const { name, type, company, subject } = findSubject(item, subjects);
  const ref = item.claim === undefined ? undefined : refs.get(`${entityId} ${item.claim}`);
  return {
    id: formatItemId(item),
    kind,
    entity_id: entityId,
    entity_name: name,
    entity_type: type,
    entity: { id: entityId, type, name, company },
    what: toSentence(what),
    headline: `${name ?? UNNAMED[type]} ${what}.`,
    suggested_action: action,
    suggested: { play: readLastPlay(subject) ?? null, action, ...(missing && { missing }) },
    urgency,
    since: toIso(since),
    age_days: Math.max(0, Math.floor((now - since) / DAY_US)),
    ...(when !== undefined && { when: toIso(when) }),
    evidence: ref === undefined ? evidence : [ref],
    mark: mark ? presentMark(formatItemId(item), mark) : null,
    ...(people && { people: people.slice(0, MAX_ITEM_PEOPLE).map(each => presentPerson(each, subjects)) }),
  };
}

const UNNAMED: Readonly<Record<EntityType, string>> = {
  person: 'Somebody without a name',
  company: 'A company without a name',
};

/** Maximum number of people of an item in a response. */
export const MAX_ITEM_PEOPLE = 20;

function presentPerson(
  { entityId, what, action, urgency, since }: AttentionItem,
  subjects: ReadonlyMap<string, AttentionSubject>,
): PresentedItemPerson {
  const { name } = subjects.get(entityId)!;
  return {
    entity_id: entityId,
    entity_name: name,
    what: toSentence(what),
    suggested_action: action,
    urgency,
    since: toIso(since),
  };
}

function toSentence(what: string): string {
  return `${what.slice(0, 1).toUpperCase()}${what.slice(1)}.`;
}

/** Returns the subject of an item. The company of an account may itself be none, so it is described by its people. */
function findSubject(
  { entityId, people }: AttentionItem,
  subjects: ReadonlyMap<string, AttentionSubject>,
): AttentionSubject {
  const own = subjects.get(entityId);
  if (own) return own;
  const first = subjects.get(people![0]!.entityId)!;
  return { ...first, type: 'company', name: first.company?.name ?? null, company: null };
}
