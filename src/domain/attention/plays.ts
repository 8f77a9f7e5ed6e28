import { DAY, type Instant } from '#domain/time/instant.js';
import type { AttentionItem } from './item.js';
import { round1 } from './going-dark.js';
import { claimOf, fieldOf, isShunned, playOf, priorityOf, type Subject, weightOfPriority } from './subject.js';

/** For how long a changed play is news, in days. */
const NEWS_DAYS = 7;

const WORK_NOW = 'work now';

/** Whoever is to be worked now, by the last score. urgency = priority. */
export function workNow(subject: Subject): AttentionItem[] {
  const score = claimOf(subject, 'lead_score');
  const priority = priorityOf(subject);
  if (!score || playOf(subject) !== WORK_NOW || priority === undefined || isShunned(subject)) return [];
  return [
    {
      kind: 'work_now',
      entityId: subject.entityId,
      about: WORK_NOW,
      urgency: round1(priority),
      since: score.supportedAt,
      what: `is to be worked now, with priority ${priority}`,
      action: 'Work this lead now.',
      evidence: [],
      claim: score.property,
    },
  ];
}

/** Whose play is another one since a week ago: 80 for `work now`, 40 for the rest, by the weight of priority. */
export function playChanged(subject: Subject, now: Instant): AttentionItem[] {
  const score = claimOf(subject, 'lead_score');
  const [play, before] = [playOf(subject), fieldOf(score?.before?.value, 'play', 'string')];
  if (!score?.before || play === undefined || before === undefined || play === before) return [];
  const at = score.before.to;
  if (at > now || now - at > NEWS_DAYS * DAY) return [];
  return [
    {
      kind: 'play_changed',
      entityId: subject.entityId,
      about: play,
      urgency: round1((play === WORK_NOW ? 80 : 40) * weightOfPriority(subject)),
      since: at,
      what: `went from "${before}" to "${play}"`,
      action: play === WORK_NOW ? 'Work this lead now.' : `Go on with "${play}".`,
      evidence: [],
      claim: score.property,
    },
  ];
}
