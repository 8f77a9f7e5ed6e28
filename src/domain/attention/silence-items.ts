import type { StageGroup } from '../properties/registry.js';
import { DAY_US, type Instant } from '../time/instant.js';
import type { WorkCalendar } from '../time/work-calendar.js';
import { type AttentionItem, roundTo1 } from './attention-item.js';
import {
  findStageGroup,
  findSubjectClaim,
  hasResponded,
  isAway,
  isDealOpen,
  isDoNotContact,
  listTimesAway,
  readInteractionRole,
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

/** With at least this many interactions, the median of the latest gaps raises the limit. */
const MIN_RHYTHM_INTERACTIONS = 4;
const MAX_RHYTHM_GAPS = 10;

/** Silence of this many limits is most urgent; from then on a deal is less and less likely to live. */
const PEAK_LIMITS = 6;
/** Silence of this many limits suggests to close the deal. */
const DEAD_LIMITS = 12;
/** Urgency below which silence never falls. */
const MIN_SILENCE_URGENCY = 5;

/**
 * Returns an item if the last interaction is older than the limit of the stage and than twice the median gap. Silence
 * matters only of an open deal and of somebody who once responded. Days out of office do not count. The limit must be
 * passed by workdays too: a weekend or public holidays put off the item of a short silence. Closed entities, opt-outs, people who are away, and entities with an
 * upcoming meeting are skipped.
 *
 * urgency = min(100, 40 * days / limit) * priority weight; from six limits on it halves with every six more, and from
 * twelve on the item suggests to close the deal.
 */
export function findGoingDark(subject: AttentionEntity, now: Instant, calendar: WorkCalendar): AttentionItem[] {
  const { interactions, meetings, entityId } = subject;
  const group = findStageGroup(subject);
  const isDeal = isDealOpen(subject);
  const isOver = group === 'closed' || group === 'ended' || isDoNotContact(subject);
  if (isOver || !(isDeal || hasResponded(subject)) || meetings.some(({ start }) => start > now)) return [];
  const since = findSilenceStart(subject);
  if (since === undefined || isAway(subject, now)) return [];
  const silence = measureSilence(subject, since, now, calendar);
  const limit = computeSilenceLimitDays(subject, group);
  if (silence.days <= limit || silence.ordinaryDays <= limit) return [];
  const urgency = computeSilenceUrgency(silence.days / limit) * computePriorityWeight(subject);
  const days = Math.floor(silence.days);
  return [
    {
      kind: 'going_dark',
      entityId,
      about: 'silence',
      urgency: roundTo1(urgency),
      since,
      what: `has been quiet for ${days} ${days === 1 ? 'day' : 'days'}${silence.hasAway ? ' besides those out of office' : ''}; ${Math.round(limit)} would be usual`,
      action: suggestAfterSilence(subject, isDeal, silence.days / limit),
      evidence: interactions.slice(0, 1).map(({ id }) => id),
    },
  ];
}

/** How long it has been quiet. */
interface Silence {
  /** Days without those out of office. */
  readonly days: number;
  /** The same by workdays, as they would count in weeks without holidays. */
  readonly ordinaryDays: number;
  readonly hasAway: boolean;
}

function measureSilence(subject: AttentionEntity, since: Instant, now: Instant, calendar: WorkCalendar): Silence {
  const away = listTimesAway(subject, since, now);
  let [time, workTime] = [now - since, calendar.computeWorkTime(since, now)];
  for (const { start, end } of away) {
    time -= end - start;
    workTime -= calendar.computeWorkTime(start, end);
  }
  return { days: time / DAY_US, ordinaryDays: calendar.toOrdinaryDays(workTime), hasAway: away.length > 0 };
}

/** The last time somebody spoke; of an open deal without any interaction, the time of its stage. */
function findSilenceStart(subject: AttentionEntity): Instant | undefined {
  const spoken = subject.interactions.find(each => readInteractionRole(each) !== 'passive');
  const last = spoken?.at ?? subject.lastActivity ?? undefined;
  return last ?? (isDealOpen(subject) ? findSubjectClaim(subject, 'stage')?.supportedAt : undefined);
}

function computeSilenceUrgency(limits: number): number {
  if (limits <= PEAK_LIMITS) return Math.min(100, 40 * limits);
  return Math.max(MIN_SILENCE_URGENCY, 100 * 2 ** (1 - limits / PEAK_LIMITS));
}

function suggestAfterSilence(subject: AttentionEntity, isDeal: boolean, limits: number): string {
  if (isDeal && limits >= DEAD_LIMITS) return 'Close it as lost, or say what would bring it back.';
  if (readLastPlay(subject) === 'work now') return 'Get in touch today.';
  return isDeal ? 'Get in touch again, or close it.' : 'Get in touch again.';
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

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
