import type { Doubt } from '../extraction.js';

/**
 * Pattern of what may stand between who does something and the verb, and takes the verb back: `might have`, `has not`.
 * Its group is `aux`.
 */
export const AUXILIARIES = String.raw`(?<aux>(?:might|may|could|would|should|will|must|can|has|have|had|is|am|are|was|were|did|do|does)(?:\s+not|n't)?(?:\s+(?:never|not|soon|also|ever|yet|be|been|have|get|gotten|become))*)`;

const DENIES = /\b(?:not|never)\b|n't\b/;
const SUPPOSES = /^(?:might|may|could|would|should|will|must|can)\b/;
const REMEMBERS = /^had\b/;

/** What such words say against the verb behind them; undefined where they only say when. */
export function doubtOfAuxiliaries(aux: string): Doubt | undefined {
  if (DENIES.test(aux)) return 'negated';
  if (SUPPOSES.test(aux)) return 'hedged';
  return REMEMBERS.test(aux) ? 'past' : undefined;
}
