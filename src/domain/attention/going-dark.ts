import type { StageGroup } from '#domain/properties/registry.js';
import { DAY_US, type Instant } from '#domain/time/instant.js';
import type { AttentionItem } from './attention-item.js';
import {
  findStageGroup,
  isDoNotContact,
  readLastPlay,
  type AttentionEntity,
  computePriorityWeight,
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
