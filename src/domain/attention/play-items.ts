import { DAY_US, type Instant } from '../time/instant.js';
import type { BuiltInRule, IcpModel, ScoreRule } from '../score/model.js';
import { type AttentionItem, roundTo1 } from './attention-item.js';
import {
  findSubjectClaim,
  readTypedField,
  isDoNotContact,
  readLastPlay,
  readLastPriority,
  type AttentionEntity,
  computePriorityWeight,
} from './attention-entity.js';

/** Properties that the built-in rules read. */
const BUILT_IN_PROPERTIES: Readonly<Record<BuiltInRule['builtIn'], readonly string[]>> = {
  seniority: ['title'],
  budget: ['budget'],
  timeline: ['timeline'],
  channel: ['email', 'phone'],
};

/**
 * Returns the share of each property in the rule weights of its layer, 0..1. Of several layers the greatest share
 * counts.
 */
export function computeRuleShares({ fit, ability }: IcpModel): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  for (const rules of [fit, ability]) {
    const all = rules.reduce((sum, { weight }) => sum + Math.max(0, weight), 0);
    for (const [property, weight] of sumWeights(rules)) {
      const share = all > 0 ? Math.max(0, weight) / all : 0;
      shares.set(property, Math.max(share, shares.get(property) ?? 0));
    }
  }
  return shares;
}

function sumWeights(rules: readonly (ScoreRule | BuiltInRule)[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const rule of rules) {
    const read = 'builtIn' in rule ? BUILT_IN_PROPERTIES[rule.builtIn] : [rule, ...rule.and].map(each => each.property);
    for (const property of new Set(read)) {
      weights.set(property, (weights.get(property) ?? 0) + rule.weight);
    }
  }
  return weights;
}

/** A changed play is reported for this many days. */
const RECENT_CHANGE_DAYS = 7;

const WORK_NOW = 'work now';

/** Returns an item if the play of the last score is `work now`. urgency = priority. */
export function findWorkNow(subject: AttentionEntity): AttentionItem[] {
  const score = findSubjectClaim(subject, 'lead_score');
  const priority = readLastPriority(subject);
  if (!score || readLastPlay(subject) !== WORK_NOW || priority === undefined || isDoNotContact(subject)) return [];
  return [
    {
      kind: 'work_now',
      entityId: subject.entityId,
      about: WORK_NOW,
      urgency: roundTo1(priority),
      since: score.supportedAt,
      what: `is to be worked now, with priority ${priority}`,
      action: 'Work this lead now.',
      evidence: [],
      claim: score.property,
    },
  ];
}

/**
 * Returns an item if the play changed within the last week. urgency = 80 for `work now`, else 40, times the priority
 * weight.
 */
export function findPlayChange(subject: AttentionEntity, now: Instant): AttentionItem[] {
  const score = findSubjectClaim(subject, 'lead_score');
  const [play, before] = [readLastPlay(subject), readTypedField(score?.before?.value, 'play', 'string')];
  if (!score?.before || play === undefined || before === undefined || play === before) return [];
  const at = score.before.to;
  if (at > now || now - at > RECENT_CHANGE_DAYS * DAY_US) return [];
  return [
    {
      kind: 'play_changed',
      entityId: subject.entityId,
      about: play,
      urgency: roundTo1((play === WORK_NOW ? 80 : 40) * computePriorityWeight(subject)),
      since: at,
      what: `went from "${before}" to "${play}"`,
      action: play === WORK_NOW ? 'Work this lead now.' : `Go on with "${play}".`,
      evidence: [],
      claim: score.property,
    },
  ];
}
