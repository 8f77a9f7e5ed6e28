import type { Doubt } from '../claims/doubt.js';
import type { EpistemicClass } from '../claims/confidence.js';
import type { Meeting } from '../meetings/upcoming-meetings.js';
import type { JsonValue } from '../observation/observation.js';
import { canonicalEvent, stageGroup, type StageGroup } from '../properties/registry.js';
import { readStageType } from '../properties/stages.js';
import { PASSIVE_EVENTS, resolveDirection, stripEventPrefix } from '../observation/interaction-events.js';
import type { Instant } from '../time/instant.js';

/** The parts of a claim that attention rules read. */
export interface SubjectClaim {
  readonly property: string;
  /** Null if the fact has ended. */
  readonly value: JsonValue;
  readonly confidence: number;
  readonly class: EpistemicClass;
  readonly supportedAt: Instant;
  /** Previous value and the time it was replaced; set for `lead_score` only. */
  readonly before?: { readonly value: JsonValue; readonly to: Instant } | undefined;
  /** Why the fact is suspect at any age; undefined if only its age is a reason. */
  readonly doubt?: Doubt | undefined;
}

/** A logged interaction. */
export interface Interaction {
  readonly id: string;
  readonly at: Instant;
  /** Property in the log, such as `interaction.email_sent`. */
  readonly property: string;
  /** The `direction` of its value, if it states one. */
  readonly direction?: string | null;
  /** Whether a machine sent it, such as an out-of-office reply. */
  readonly isAutomatic?: boolean;
  /** Of an out-of-office reply: when the person is back. */
  readonly awayUntil?: Instant | undefined;
}

/** An entity that is checked for attention items. */
export interface AttentionEntity {
  readonly entityId: string;
  readonly claims: readonly SubjectClaim[];
  readonly lastActivity: Instant | null;
  /** Time of the last inbound interaction, page visits included. */
  readonly lastInbound?: Instant | null;
  /** The latest interactions, newest first, at most eleven. */
  readonly interactions: readonly Interaction[];
  /** Upcoming meetings, the next one first. */
  readonly meetings: readonly Meeting[];
  /** Meetings that were not cancelled and have started, the latest first. */
  readonly pastMeetings?: readonly Meeting[];
  /** Time of the newest note; null without one. */
  readonly lastNote?: Instant | null;
  /** Country of a person's company, as stated; null if unknown. */
  readonly companyCountry?: JsonValue;
}

/** Properties that attention rules read for every entity. */
export const ASSESSED_PROPERTIES = [
  'stage',
  'stage_type',
  'lead_score',
  'do_not_contact',
  'unsubscribed',
  'owner',
  'country',
] as const;

/** Maximum number of interactions that are read per entity. */
export const MAX_INTERACTIONS = 11;

/** Events in which both sides speak. */
const CONVERSATIONS: ReadonlySet<string> = new Set(['call_held', 'meeting_held']);

/** What an interaction is: somebody wrote to us, we to them, both spoke, or nobody spoke. */
export type InteractionRole = 'inbound' | 'outbound' | 'conversation' | 'passive';

/** Returns what an interaction is. Automatic replies, opened mail and page visits are passive. */
export function readInteractionRole({ property, direction, isAutomatic }: Interaction): InteractionRole {
  const type = stripEventPrefix(canonicalEvent(property));
  if (isAutomatic || PASSIVE_EVENTS.has(type)) return 'passive';
  if (CONVERSATIONS.has(type)) return 'conversation';
  return resolveDirection(property, { direction: direction ?? null });
}

/** Returns whether an out-of-office reply says that the person is away. */
export function isAway({ interactions }: AttentionEntity, now: Instant): boolean {
  return interactions.some(({ at, awayUntil }) => awayUntil !== undefined && at <= now && now < awayUntil);
}

/** A period of time. */
export interface Period {
  readonly start: Instant;
  readonly end: Instant;
}

/** Returns when a person was away between two times, by their out-of-office replies, in order. Overlaps count once. */
export function listTimesAway({ interactions }: AttentionEntity, from: Instant, to: Instant): Period[] {
  const periods = interactions
    .flatMap(({ at, awayUntil }) => (awayUntil === undefined ? [] : [{ start: Math.max(at, from), end: awayUntil }]))
    .toSorted((one, other) => one.start - other.start);
  const away: Period[] = [];
  for (const { start, end } of periods) {
    const [begin, stop] = [Math.max(start, away.at(-1)?.end ?? from), Math.min(end, to)];
    if (stop > begin) away.push({ start: begin, end: stop });
  }
  return away;
}

/** Returns the country of an entity, or else that of a person's company; undefined if unknown. */
export function findCountry(subject: AttentionEntity): string | undefined {
  const own = findSubjectClaim(subject, 'country')?.value;
  return [own, subject.companyCountry].find(value => typeof value === 'string');
}

/** Returns whether the other side ever spoke: a reply, a call, a meeting, a form. */
export function hasResponded({ interactions, lastInbound }: AttentionEntity): boolean {
  const hasSpoken = interactions.some(each => ['inbound', 'conversation'].includes(readInteractionRole(each)));
  return hasSpoken || (interactions.length >= MAX_INTERACTIONS && lastInbound != null);
}

/** Share of each property in the rules of the scoring model, 0..1. */
export type RuleShares = ReadonlyMap<string, number>;

/** Returns the claim of a property, if there is one. */
export function findSubjectClaim(subject: AttentionEntity, property: string): SubjectClaim | undefined {
  return subject.claims.find(claim => claim.property === property);
}

/**
 * Returns the stage group of an entity; undefined without a stage or for a custom one. The type that a CRM gives to the
 * stage (open, won, lost) decides over its words.
 */
export function findStageGroup(subject: AttentionEntity): StageGroup | 'ended' | undefined {
  const [stage, type] = [findSubjectClaim(subject, 'stage'), findSubjectClaim(subject, 'stage_type')];
  if (stage?.value === null) return 'ended';
  const group = typeof stage?.value === 'string' ? stageGroup(stage.value) : undefined;
  switch (typeof type?.value === 'string' ? readStageType(type.value) : undefined) {
    case 'lost':
      return 'closed';
    case 'won':
      return 'customer';
    case 'open':
      return group === 'closed' || group === 'customer' ? undefined : group;
    default:
      return group;
  }
}

/** Returns whether the entity has a stage that is neither ended nor closed. */
export function isStageOpen(subject: AttentionEntity): boolean {
  const group = findStageGroup(subject);
  return findSubjectClaim(subject, 'stage') !== undefined && group !== 'ended' && group !== 'closed';
}

/** Returns whether the entity is a deal that can still be won: it has a stage, and is neither won nor lost. */
export function isDealOpen(subject: AttentionEntity): boolean {
  return isStageOpen(subject) && findStageGroup(subject) !== 'customer';
}

/** Returns whether the entity has opted out of contact (`do_not_contact` or `unsubscribed`). */
export function isDoNotContact(subject: AttentionEntity): boolean {
  return ['do_not_contact', 'unsubscribed'].some(property => {
    const value = findSubjectClaim(subject, property)?.value ?? null;
    return value !== null && value !== false;
  });
}

/**
 * Returns the factor, 0.5 to 1, by which the priority of an entity scales urgencies. An unscored entity counts as 50.
 */
export function computePriorityWeight(subject: AttentionEntity): number {
  return 0.5 + (0.5 * (readLastPriority(subject) ?? 50)) / 100;
}

/** Returns the priority of the last score, 0 to 100. */
export function readLastPriority(subject: AttentionEntity): number | undefined {
  return readTypedField(findSubjectClaim(subject, 'lead_score')?.value, 'priority', 'number');
}

/** Returns the play of the last score. */
export function readLastPlay(subject: AttentionEntity): string | undefined {
  return readTypedField(findSubjectClaim(subject, 'lead_score')?.value, 'play', 'string');
}

/** Returns a field of a JSON object if it has the given type, else undefined. */
export function readTypedField<Type extends 'number' | 'string'>(
  value: JsonValue | undefined,
  field: string,
  type: Type,
): (Type extends 'number' ? number : string) | undefined {
  const held = typeof value === 'object' && value !== null && !Array.isArray(value) ? value[field] : undefined;
  return typeof held === type ? (held as Type extends 'number' ? number : string) : undefined;
}
