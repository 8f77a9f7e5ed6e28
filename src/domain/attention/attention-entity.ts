import type { EpistemicClass } from '#domain/claims/confidence.js';
import type { Meeting } from '#domain/meetings/upcoming-meetings.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { stageGroup, type StageGroup } from '#domain/properties/registry.js';
import type { Instant } from '#domain/time/instant.js';

/** A claim, as far as attention needs it. */
export interface SubjectClaim {
  readonly property: string;
  /** Null: the fact has ended. */
  readonly value: JsonValue;
  readonly confidence: number;
  readonly class: EpistemicClass;
  readonly supportedAt: Instant;
  /** Of `lead_score`: the score before, and when it was replaced. */
  readonly before?: { readonly value: JsonValue; readonly to: Instant } | undefined;
}

/** An entity that may want attention. */
export interface AttentionEntity {
  readonly entityId: string;
  readonly claims: readonly SubjectClaim[];
  readonly lastActivity: Instant | null;
  /** When the last interactions were, the newest first; eleven at most. */
  readonly interactions: readonly { readonly id: string; readonly at: Instant }[];
  /** Meetings ahead, the next one first. */
  readonly meetings: readonly Meeting[];
}

/** Properties that decide about items of every kind. */
export const ASSESSED_PROPERTIES = ['stage', 'lead_score', 'do_not_contact', 'unsubscribed', 'owner'] as const;

/** How much a property counts in what the workspace looks for: its share of the rules of a layer, 0..1. */
export type RuleShares = ReadonlyMap<string, number>;

/** A claim of a subject by its property. */
export function findSubjectClaim(subject: AttentionEntity, property: string): SubjectClaim | undefined {
  return subject.claims.find(claim => claim.property === property);
}

/** Where in a sale somebody stands; undefined: no stage, or a word of the workspace's own. */
export function findStageGroup(subject: AttentionEntity): StageGroup | 'ended' | undefined {
  const stage = findSubjectClaim(subject, 'stage');
  if (!stage) return undefined;
  if (stage.value === null) return 'ended';
  return typeof stage.value === 'string' ? stageGroup(stage.value) : undefined;
}

/** Whether a stage is given that is not over. */
export function isStageOpen(subject: AttentionEntity): boolean {
  const group = findStageGroup(subject);
  return findSubjectClaim(subject, 'stage') !== undefined && group !== 'ended' && group !== 'closed';
}

/** Whether nobody may turn to them. */
export function isDoNotContact(subject: AttentionEntity): boolean {
  return ['do_not_contact', 'unsubscribed'].some(property => {
    const value = findSubjectClaim(subject, property)?.value ?? null;
    return value !== null && value !== false;
  });
}

/** How much the priority of somebody weighs: half to whole; one without a score is taken for 50. */
export function computePriorityWeight(subject: AttentionEntity): number {
  return 0.5 + (0.5 * (readLastPriority(subject) ?? 50)) / 100;
}

/** The priority by the last score, 0 to 100. */
export function readLastPriority(subject: AttentionEntity): number | undefined {
  return readTypedField(findSubjectClaim(subject, 'lead_score')?.value, 'priority', 'number');
}

/** The play by the last score. */
export function readLastPlay(subject: AttentionEntity): string | undefined {
  return readTypedField(findSubjectClaim(subject, 'lead_score')?.value, 'play', 'string');
}

/** A field of a JSON object, if it is of that type. */
export function readTypedField<Type extends 'number' | 'string'>(
  value: JsonValue | undefined,
  field: string,
  type: Type,
): (Type extends 'number' ? number : string) | undefined {
  const held = typeof value === 'object' && value !== null && !Array.isArray(value) ? value[field] : undefined;
  return typeof held === type ? (held as Type extends 'number' ? number : string) : undefined;
}
