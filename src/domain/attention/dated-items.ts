import { isPlainObject, type JsonValue } from '../observation/observation.js';
import { DAY_US, type Instant, parseInstant, toIso } from '../time/instant.js';
import { type AttentionItem, roundTo1 } from './attention-item.js';
import { isDoNotContact, readInteractionRole, type AttentionEntity, type SubjectClaim } from './attention-entity.js';

/** Meetings are listed this many days ahead. */
const MEETING_HORIZON_DAYS = 7;

/** Prefix of the properties of commitments: `action_item.<id>`. */
export const COMMITMENT_PREFIX = 'action_item.';

const DONE_STATUSES = new Set(['done', 'closed', 'completed', 'cancelled', 'canceled']);
const MAX_TEXT_LENGTH = 120;

/** Returns items for meetings in the next seven days. Urgency is 100 within 24 hours and falls linearly to 60. */
export function findMeetingItems({ entityId, meetings }: AttentionEntity, now: Instant): AttentionItem[] {
  return meetings
    .filter(({ start }) => start > now && start <= now + MEETING_HORIZON_DAYS * DAY_US)
    .map(({ id, start, plannedAt, title }) => ({
      kind: 'upcoming_meeting' as const,
      entityId,
      about: id,
      urgency: roundTo1(computeProximity(start, now, 60)),
      since: plannedAt,
      when: start,
      what: `has a meeting on ${formatTime(start)}${title ? `: ${truncateText(title)}` : ''}`,
      action: 'Prepare for it: read the account, verify what is old.',
      evidence: [id],
    }));
}

/** Commitments due within this time, and overdue ones, are items of their own kind. */
const DUE_SOON_US = DAY_US;

/**
 * Returns items for open commitments: `commitment_due` if overdue or due within a day, else `open_commitment`. Urgency
 * is 90 to 100 if overdue, 90 if due within 24 hours, then falls linearly to 50; without a due date it is 40.
 */
export function findCommitmentItems(subject: AttentionEntity, now: Instant): AttentionItem[] {
  return subject.claims.flatMap(claim => {
    if (!claim.property.startsWith(COMMITMENT_PREFIX) || !isOpenItem(claim.value)) return [];
    const due = parseDueDate(claim.value);
    const text = describeCommitment(claim);
    const item: AttentionItem = {
      kind: due !== undefined && due <= now + DUE_SOON_US ? 'commitment_due' : 'open_commitment',
      entityId: subject.entityId,
      about: claim.property,
      urgency: roundTo1(computeUrgency(due, now)),
      since: claim.supportedAt,
      when: due,
      what: `waits for: ${text}${due === undefined ? '' : ` (due ${formatTime(due)})`}`,
      action: due !== undefined && due < now ? 'It is overdue: do it, or agree on another date.' : 'Do it.',
      evidence: [],
      claim: claim.property,
    };
    return [item];
  });
}

/** Property that says when to get in touch again. */
export const CALLBACK_PROPERTY = 'callback_at';

/** A callback is shown from a day before it is due until this many days after. */
const MAX_CALLBACK_OVERDUE_DAYS = 60;

/** Returns items for callbacks that are due: agreed, and nobody has spoken since the agreed time. */
export function findCallbackItems(subject: AttentionEntity, now: Instant): AttentionItem[] {
  if (isDoNotContact(subject)) return [];
  return subject.claims.flatMap(claim => {
    const isCallback = claim.property === CALLBACK_PROPERTY;
    const due = isCallback && isOpenItem(claim.value) ? parseCallbackTime(claim.value) : undefined;
    if (due === undefined || due > now + DUE_SOON_US || due < now - MAX_CALLBACK_OVERDUE_DAYS * DAY_US) return [];
    const spoken = subject.interactions.find(each => readInteractionRole(each) !== 'passive');
    if (spoken !== undefined && spoken.at >= Math.max(due, claim.supportedAt)) return [];
    const overdueDays = Math.max(0, (now - due) / DAY_US);
    const item: AttentionItem = {
      kind: 'callback_due',
      entityId: subject.entityId,
      about: claim.property,
      urgency: roundTo1(overdueDays <= 7 ? 95 : Math.max(40, 95 - (overdueDays - 7))),
      since: claim.supportedAt,
      when: due,
      what: `expects a call back (due ${formatTime(due)})`,
      action: due < now ? 'Call back: the agreed time has passed.' : 'Call back at the agreed time.',
      evidence: [],
      claim: claim.property,
    };
    return [item];
  });
}

function parseCallbackTime(value: JsonValue): Instant | undefined {
  return typeof value === 'string' ? parseInstant(value) : parseDueDate(value);
}

function computeUrgency(due: Instant | undefined, now: Instant): number {
  if (due === undefined) return 40;
  if (due < now) return Math.min(100, 90 + (now - due) / DAY_US);
  return Math.max(50, computeProximity(due, now, 50) - 10);
}

/** Returns 100 within a day, falling linearly to `least` at the end of the week. */
function computeProximity(at: Instant, now: Instant, least: number): number {
  const beyond = Math.max(0, (at - now) / DAY_US - 1) / (MEETING_HORIZON_DAYS - 1);
  return 100 - Math.min(1, beyond) * (100 - least);
}

function isOpenItem(value: JsonValue): boolean {
  if (value === null || value === false || value === '') return false;
  if (!isPlainObject(value)) return true;
  const { status, done } = value;
  return done !== true && !(typeof status === 'string' && DONE_STATUSES.has(status.toLowerCase()));
}

function parseDueDate(value: JsonValue): Instant | undefined {
  const due = isPlainObject(value)
    ? (value['due'] ?? value['due_date'] ?? value['due_at'] ?? value['at'] ?? value['date'])
    : undefined;
  return typeof due === 'string' ? parseInstant(due) : undefined;
}

function describeCommitment({ property, value }: SubjectClaim): string {
  const fields = ['title', 'text', 'description', 'what', 'action'];
  const text = isPlainObject(value) ? fields.map(field => value[field]).find(held => typeof held === 'string') : value;
  return truncateText(typeof text === 'string' ? text : property.slice(COMMITMENT_PREFIX.length));
}

function truncateText(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH - 1)}…`;
}

function formatTime(instant: Instant): string {
  return `${toIso(instant).slice(0, 16).replace('T', ' ')} UTC`;
}
