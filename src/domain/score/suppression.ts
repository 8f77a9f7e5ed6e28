import type { HardFlag } from './evidence.js';
import type { ScoreRule } from './model.js';
import type { PlayDecision } from './play.js';
import { describeRule } from './reason-text.js';

/** A rule that suppresses a lead. */
export interface Suppression {
  /** ID of the model's rule, or a built-in one: a hard flag other than `disqualified`, or `low_fit`. */
  readonly rule: string;
  /** A sentence for people. */
  readonly text: string;
}

const FLAG_TEXTS: Readonly<Record<Exclude<HardFlag, 'disqualified'>, string>> = {
  unsubscribed: 'The contact unsubscribed.',
  do_not_contact: 'The contact must not be contacted.',
  no_live_channel: 'The known address bounced, and no other way to reach the contact is known.',
  own_domain: 'The address belongs to the workspace itself.',
  suppressed: 'The domain is on the suppression list of the scoring model.',
};

const LOW_FIT: Suppression = {
  rule: 'low_fit',
  text: 'Fit is below 25, with at least half of the rules of the model evaluated.',
};

const NONE: readonly Suppression[] = [];

/**
 * Returns every rule that suppresses a lead; empty unless the play is `suppress`.
 * @param disqualifying rules of the model that match in full.
 */
export function explainSuppression(
  { play, play_rule }: PlayDecision,
  flags: readonly HardFlag[],
  disqualifying: readonly ScoreRule[],
): readonly Suppression[] {
  if (play !== 'suppress') return NONE;
  if (play_rule === 'P2') return [LOW_FIT];
  const byFlag = flags.flatMap(flag => (flag === 'disqualified' ? [] : [{ rule: flag, text: FLAG_TEXTS[flag] }]));
  const byModel = disqualifying.map(rule => ({
    rule: rule.id,
    text: `Disqualified by the model: ${describeRule(rule)}.`,
  }));
  return [...byFlag, ...byModel];
}
