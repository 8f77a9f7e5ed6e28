import type { ReviewReason } from '../extraction.js';

/**
 * Pattern of the words between a subject and its verb that negate or hedge it: `might have`, `has not`. Its group is
 * `aux`.
 */
export const MODAL_VERBS = String.raw`(?<aux>(?:might|may|could|would|should|will|must|can|has|have|had|is|am|are|was|were|did|do|does)(?:\s+not|n't)?(?:\s+(?:never|not|soon|also|ever|yet|be|been|have|get|gotten|become))*)`;

const NEGATED = /\b(?:not|never)\b|n't\b/;
const MODAL = /^(?:might|may|could|would|should|will|must|can)\b/;
const PAST_PERFECT = /^had\b/;

/** Returns why such words need review; undefined if they only express tense. */
export function classifyModal(aux: string): ReviewReason | undefined {
  if (NEGATED.test(aux)) return 'negated';
  if (MODAL.test(aux)) return 'hedged';
  return PAST_PERFECT.test(aux) ? 'past' : undefined;
}
