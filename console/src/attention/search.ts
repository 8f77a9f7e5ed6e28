/** Kinds of items that the page filters by, in its order. */
export const KINDS = [
  'unanswered_reply',
  'callback_due',
  'commitment_due',
  'upcoming_meeting',
  'meeting_without_outcome',
  'going_dark',
  'work_now',
  'contested_claim',
  'decayed_fact',
  'merge_proposal',
] as const;
export type Kind = (typeof KINDS)[number];

/** States of items besides the open ones. */
export const MARKED_STATES = ['snoozed', 'done'] as const;

/** What the address of the attention page says. */
export interface AttentionSearch {
  readonly kind?: Kind | undefined;
  readonly state?: (typeof MARKED_STATES)[number] | undefined;
}

/** Reads the address of the attention page; an unknown kind or state is left out. */
export function readAttentionSearch(search: Readonly<Record<string, unknown>>): AttentionSearch {
  return {
    kind: KINDS.find(each => each === search['kind']),
    state: MARKED_STATES.find(each => each === search['state']),
  };
}
