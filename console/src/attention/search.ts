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

/** Reads the address of the attention page; an unknown kind is left out. */
export function readAttentionSearch(search: Readonly<Record<string, unknown>>): { kind?: Kind | undefined } {
  return { kind: KINDS.find(each => each === search['kind']) };
}
