import { isPlainObject } from '#domain/observation/value-issue.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { DAY_US, type Instant, parseInstant, toIso } from '#domain/time/instant.js';
import type { AttentionItem } from './attention-item.js';
import { roundTo1 } from './going-dark.js';
import type { AttentionEntity, SubjectClaim } from './attention-entity.js';

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

/**
 * Returns items for open commitments. Urgency is 90 to 100 if overdue, 90 if due within 24 hours, then falls linearly
 * to 50; without a due date it is 40.
 */
export function findCommitmentItems(subject: AttentionEntity, now: Instant): AttentionItem[] {
  return subject.claims.flatMap(claim => {
    if (!claim.property.startsWith(COMMITMENT_PREFIX) || !isOpenItem(claim.value)) return [];
    const due = parseDueDate(claim.value);
    const text = describeCommitment(claim);
    const item: AttentionItem = {
      kind: 'open_commitment',
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
  const due = isPlainObject(value) ? (value['due'] ?? value['due_date'] ?? value['due_at']) : undefined;
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
