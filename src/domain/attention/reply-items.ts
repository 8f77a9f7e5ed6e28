import { DAY_US, HOUR_US, type Instant, toIso } from '../time/instant.js';
import { type AttentionItem, roundTo1 } from './attention-item.js';
import {
  type AttentionEntity,
  computePriorityWeight,
  findStageGroup,
  findSubjectClaim,
  isDoNotContact,
  readInteractionRole,
} from './attention-entity.js';

/** A reply may wait this long before it is an item. */
const REPLY_GRACE_US = 4 * HOUR_US;
/** A reply that has waited longer is part of the silence. */
const MAX_REPLY_AGE_DAYS = 30;
/** Days until a waiting reply is most urgent. */
const REPLY_PEAK_DAYS = 3;

/**
 * Returns an item if the other side spoke last and waits for an answer: no message of ours, no call, no meeting since.
 * Automatic replies and page visits are no replies. Urgency rises from 75 to 95 within three days and then falls to 50.
 */
export function findUnansweredReply(subject: AttentionEntity, now: Instant): AttentionItem[] {
  const group = findStageGroup(subject);
  if (group === 'closed' || group === 'ended' || isDoNotContact(subject)) return [];
  const last = subject.interactions.find(each => readInteractionRole(each) !== 'passive');
  if (!last || readInteractionRole(last) !== 'inbound' || last.property === 'interaction.connection_accepted')
    return [];
  const waited = now - last.at;
  if (waited < REPLY_GRACE_US || waited > MAX_REPLY_AGE_DAYS * DAY_US) return [];
  if (subject.meetings.some(({ plannedAt }) => plannedAt >= last.at)) return [];
  const days = waited / DAY_US;
  const urgency = days <= REPLY_PEAK_DAYS ? 75 + (20 * days) / REPLY_PEAK_DAYS : 95 - (45 * days) / MAX_REPLY_AGE_DAYS;
  return [
    {
      kind: 'unanswered_reply',
      entityId: subject.entityId,
      about: last.id,
      urgency: roundTo1(urgency * (0.5 + 0.5 * computePriorityWeight(subject))),
      since: last.at,
      what: `wrote on ${toIso(last.at).slice(0, 10)} and has no answer yet`,
      action: 'Answer today.',
      evidence: [last.id],
    },
  ];
}

/** A meeting may be over for this long before its outcome is missed. */
const OUTCOME_GRACE_US = 4 * HOUR_US;
const MAX_OUTCOME_AGE_DAYS = 14;
const OUTCOME_EVENTS = /^interaction\.(?:meeting_(?:held|no_show|completed|cancelled|rescheduled)|call_held)$/;

/**
 * Returns an item if a meeting took place and nothing says what came of it: no note, no event about it, no new stage.
 * Urgency falls from 70 to 40 within two weeks.
 */
export function findMeetingWithoutOutcome(subject: AttentionEntity, now: Instant): AttentionItem[] {
  if (isDoNotContact(subject)) return [];
  const meeting = subject.pastMeetings?.[0];
  if (!meeting) return [];
  const over = now - meeting.start;
  if (over < OUTCOME_GRACE_US || over > MAX_OUTCOME_AGE_DAYS * DAY_US) return [];
  const hasEvent = subject.interactions.some(
    ({ property, at }) => at >= meeting.start && OUTCOME_EVENTS.test(property),
  );
  const stage = findSubjectClaim(subject, 'stage');
  const hasStage = stage !== undefined && stage.supportedAt >= meeting.start;
  const hasNote = subject.lastNote != null && subject.lastNote >= meeting.start - DAY_US;
  if (hasEvent || hasStage || hasNote) return [];
  return [
    {
      kind: 'meeting_without_outcome',
      entityId: subject.entityId,
      about: meeting.id,
      urgency: roundTo1(70 - (30 * over) / (MAX_OUTCOME_AGE_DAYS * DAY_US)),
      since: meeting.start,
      what: `had a meeting on ${toIso(meeting.start).slice(0, 10)} whose outcome is not recorded`,
      action: 'Record what was agreed, or that it did not take place.',
      evidence: [meeting.id],
    },
  ];
}
