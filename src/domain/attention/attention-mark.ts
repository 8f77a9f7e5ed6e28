import type { Actor } from '../actor/actor.js';
import type { Instant } from '../time/instant.js';
import { ATTENTION_KINDS, type AttentionItem } from './attention-item.js';

/** What somebody did with an item: put it off for a while, or dealt with it. */
export const MARK_STATES = ['snoozed', 'done'] as const;

/** State of an item in the list. */
export const ITEM_STATES = ['open', ...MARK_STATES] as const;

/** One of {@link ITEM_STATES}. */
export type ItemState = (typeof ITEM_STATES)[number];

/** Says that an item was put off or dealt with. */
export interface AttentionMark {
  readonly itemId: string;
  readonly state: (typeof MARK_STATES)[number];
  /** Set for `snoozed`. */
  readonly until: Instant | null;
  readonly note: string | null;
  readonly markedBy: Actor;
  readonly markedAt: Instant;
}

/**
 * Returns the state of an item. A snoozed item is open again when its time has come. One that is done is open again when
 * its reason is newer than the mark: a deal that went quiet a second time, a fact that was stated again and decayed again.
 */
export function findItemState(
  { since }: Pick<AttentionItem, 'since'>,
  mark: AttentionMark | undefined,
  now: Instant,
): ItemState {
  if (!mark || mark.markedAt > now) return 'open';
  if (mark.until !== null) return now < mark.until ? 'snoozed' : 'open';
  return since <= mark.markedAt ? 'done' : 'open';
}

/**
 * Returns the ID under which the mark of an item is stored. A commitment keeps its mark when it becomes due, although it is
 * an item of another kind then.
 */
export function toMarkId(itemId: string): string {
  return itemId.replace(/^commitment_due:/, 'open_commitment:');
}

/** The parts of the ID of an item. */
export interface ItemKey {
  readonly kind: string;
  readonly entityId: string;
}

const ITEM_ID = /^([a-z_]{1,40}):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):.{1,300}$/s;

/** Parses the ID of an item, `kind:entity:about`; undefined for other texts. */
export function parseItemId(id: string): ItemKey | undefined {
  const [, kind, entityId] = ITEM_ID.exec(id) ?? [];
  if (kind === undefined || entityId === undefined || !(ATTENTION_KINDS as readonly string[]).includes(kind))
    return undefined;
  return { kind, entityId };
}
