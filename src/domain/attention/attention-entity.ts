import type { EpistemicClass } from '#domain/claims/confidence.js';
import type { Meeting } from '#domain/meetings/upcoming-meetings.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { stageGroup, type StageGroup } from '#domain/properties/registry.js';
import type { Instant } from '#domain/time/instant.js';

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
}

/** An entity that is checked for attention items. */
export interface AttentionEntity {
  readonly entityId: string;
  readonly claims: readonly SubjectClaim[];
  readonly lastActivity: Instant | null;
  /** The latest interactions, newest first, at most eleven. */
  readonly interactions: readonly { readonly id: string; readonly at: Instant }[];
  /** Upcoming meetings, the next one first. */
  readonly meetings: readonly Meeting[];
}

/** Properties that attention rules read for every entity. */
export const ASSESSED_PROPERTIES = ['stage', 'lead_score', 'do_not_contact', 'unsubscribed', 'owner'] as const;

/** Share of each property in the rules of the scoring model, 0..1. */
export type RuleShares = ReadonlyMap<string, number>;

/** Returns the claim of a property, if there is one. */
export function findSubjectClaim(subject: AttentionEntity, property: string): SubjectClaim | undefined {
  return subject.claims.find(claim => claim.property === property);
}

/** Returns the stage group of an entity; undefined without a stage or for a custom one. */
export function findStageGroup(subject: AttentionEntity): StageGroup | 'ended' | undefined {
  const stage = findSubjectClaim(subject, 'stage');
  if (!stage) return undefined;
  if (stage.value === null) return 'ended';
  return typeof stage.value === 'string' ? stageGroup(stage.value) : undefined;
}

/** Returns whether the entity has a stage that is neither ended nor closed. */
export function isStageOpen(subject: AttentionEntity): boolean {
  const group = findStageGroup(subject);
  return findSubjectClaim(subject, 'stage') !== undefined && group !== 'ended' && group !== 'closed';
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
