import { isPlainObject } from '#domain/observation/value-issue.js';
import type { JsonValue } from '#domain/observation/observation.js';
import type { StageGroup } from '../properties/registry.js';
import { DAY_US, type Instant, parseInstant, toIso } from '../time/instant.js';
import type { AttentionItem } from './attention-item.js';
import {
  findStageGroup,
  isDoNotContact,
  readLastPlay,
  type AttentionEntity,
  computePriorityWeight,
  type SubjectClaim,
} from './attention-entity.js';

/** Days of silence after which an entity counts as going dark, by stage group. */
export const STAGE_SILENCE_LIMIT_DAYS: Readonly<Record<Exclude<StageGroup, 'closed'>, number>> = {
  prospecting: 14,
  qualification: 10,
  proposal: 7,
  negotiation: 5,
  customer: 30,
};

/** Days of silence for entities without a stage. */
export const DEFAULT_SILENCE_LIMIT_DAYS = 21;

/** Smallest limit in days that any stage has. */
export const MIN_SILENCE_LIMIT_DAYS = 5;

/** With at least this many interactions, the median of the latest gaps raises the limit. */
const MIN_RHYTHM_INTERACTIONS = 4;
const MAX_RHYTHM_GAPS = 10;

/**
 * Returns an item if the last interaction is older than the limit of the stage and than twice the median gap. Closed
 * entities, opt-outs, and entities with an upcoming meeting are skipped.
 *
 * urgency = min(100, 40 * gap / limit) * priority weight
 */
export function findGoingDark(subject: AttentionEntity, now: Instant): AttentionItem[] {
  const { lastActivity, interactions, meetings, entityId } = subject;
  const group = findStageGroup(subject);
  const isOver = group === 'closed' || group === 'ended' || isDoNotContact(subject);
  if (lastActivity === null || isOver || meetings.some(({ start }) => start > now)) return [];
  const gap = (now - lastActivity) / DAY_US;
  const limit = computeSilenceLimitDays(subject, group);
  if (gap <= limit) return [];
  const urgency = Math.min(100, (40 * gap) / limit) * computePriorityWeight(subject);
  const days = Math.floor(gap);
  return [
    {
      kind: 'going_dark',
      entityId,
      about: 'silence',
      urgency: roundTo1(urgency),
      since: lastActivity,
      what: `has been quiet for ${days} ${days === 1 ? 'day' : 'days'}; ${Math.round(limit)} would be usual`,
      action: readLastPlay(subject) === 'work now' ? 'Get in touch today.' : 'Get in touch again, or close it.',
      evidence: interactions.slice(0, 1).map(({ id }) => id),
    },
  ];
}

/** Returns the days of silence that are normal for an entity. */
export function computeSilenceLimitDays(
  { interactions }: AttentionEntity,
  group: ReturnType<typeof findStageGroup>,
): number {
  const usual =
    group && group !== 'closed' && group !== 'ended' ? STAGE_SILENCE_LIMIT_DAYS[group] : DEFAULT_SILENCE_LIMIT_DAYS;
  if (interactions.length < MIN_RHYTHM_INTERACTIONS) return usual;
  const gaps = interactions.slice(1, MAX_RHYTHM_GAPS + 1).map(({ at }, i) => (interactions[i]!.at - at) / DAY_US);
  return Math.max(usual, 2 * median(gaps));
}

/** Rounds to one decimal, the precision of urgencies. */
export function roundTo1(number: number): number {
  return Math.round(number * 10) / 10;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

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
