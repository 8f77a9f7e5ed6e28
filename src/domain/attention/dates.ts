import { isPlainObject } from '#domain/observation/json-check.js';
import type { Json } from '#domain/observation/observation.js';
import { DAY, type Instant, parseInstant, toIso } from '#domain/time/instant.js';
import type { AttentionItem } from './item.js';
import { round1 } from './going-dark.js';
import type { Subject, SubjectClaim } from './subject.js';

/** How far ahead meetings are told, in days. */
const AHEAD_DAYS = 7;

/** What commitments are stated under: `action_item.<id>`. */
export const COMMITMENT_PREFIX = 'action_item.';

const DONE = new Set(['done', 'closed', 'completed', 'cancelled', 'canceled']);
const LONGEST = 120;

/** Meetings of the next seven days: 100 within 24 hours, then falling to 60. */
export function upcoming({ entityId, meetings }: Subject, now: Instant): AttentionItem[] {
  return meetings
    .filter(({ start }) => start > now && start <= now + AHEAD_DAYS * DAY)
    .map(({ id, start, plannedAt, title }) => ({
      kind: 'upcoming_meeting' as const,
      entityId,
      about: id,
      urgency: round1(nearness(start, now, 60)),
      since: plannedAt,
      when: start,
      what: `has a meeting on ${worded(start)}${title ? `: ${cut(title)}` : ''}`,
      action: 'Prepare for it: read the account, verify what is old.',
      evidence: [id],
    }));
}

/** Commitments that are open: overdue 90 to 100, due within 24 hours 90, then falling to 50; without a date 40. */
export function openCommitments(subject: Subject, now: Instant): AttentionItem[] {
  return subject.claims.flatMap(claim => {
    if (!claim.property.startsWith(COMMITMENT_PREFIX) || !isOpenItem(claim.value)) return [];
    const due = dueOf(claim.value);
    const text = textOf(claim);
    const item: AttentionItem = {
      kind: 'open_commitment',
      entityId: subject.entityId,
      about: claim.property,
      urgency: round1(urgencyOf(due, now)),
      since: claim.supportedAt,
      when: due,
      what: `waits for: ${text}${due === undefined ? '' : ` (due ${worded(due)})`}`,
      action: due !== undefined && due < now ? 'It is overdue: do it, or agree on another date.' : 'Do it.',
      evidence: [],
      claim: claim.property,
    };
    return [item];
  });
}

function urgencyOf(due: Instant | undefined, now: Instant): number {
  if (due === undefined) return 40;
  if (due < now) return Math.min(100, 90 + (now - due) / DAY);
  return Math.max(50, nearness(due, now, 50) - 10);
}

/** 100 within a day, falling in a line to `least` at the end of the week, and staying there. */
function nearness(at: Instant, now: Instant, least: number): number {
  const beyond = Math.max(0, (at - now) / DAY - 1) / (AHEAD_DAYS - 1);
  return 100 - Math.min(1, beyond) * (100 - least);
}

function isOpenItem(value: Json): boolean {
  if (value === null || value === false || value === '') return false;
  if (!isPlainObject(value)) return true;
  const { status, done } = value;
  return done !== true && !(typeof status === 'string' && DONE.has(status.toLowerCase()));
}

function dueOf(value: Json): Instant | undefined {
  const due = isPlainObject(value) ? (value['due'] ?? value['due_date'] ?? value['due_at']) : undefined;
  return typeof due === 'string' ? parseInstant(due) : undefined;
}

function textOf({ property, value }: SubjectClaim): string {
  const fields = ['title', 'text', 'description', 'what', 'action'];
  const said = isPlainObject(value) ? fields.map(field => value[field]).find(held => typeof held === 'string') : value;
  return cut(typeof said === 'string' ? said : property.slice(COMMITMENT_PREFIX.length));
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}

function worded(instant: Instant): string {
  return `${toIso(instant).slice(0, 16).replace('T', ' ')} UTC`;
}
