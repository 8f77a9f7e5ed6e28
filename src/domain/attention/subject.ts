import type { EpistemicClass } from '#domain/claims/certainty.js';
import type { Meeting } from '#domain/meetings/upcoming.js';
import type { Json } from '#domain/observation/observation.js';
import { stageGroup, type StageGroup } from '#domain/properties/registry.js';
import type { Instant } from '#domain/time/instant.js';

/** A claim, as far as attention needs it. */
export interface SubjectClaim {
  readonly property: string;
  /** Null: the fact has ended. */
  readonly value: Json;
  readonly confidence: number;
  readonly class: EpistemicClass;
  readonly supportedAt: Instant;
  /** Of `lead_score`: the score before, and when it was replaced. */
  readonly before?: { readonly value: Json; readonly to: Instant } | undefined;
}

/** An entity that may want attention. */
export interface Subject {
  readonly entityId: string;
  readonly claims: readonly SubjectClaim[];
  readonly lastActivity: Instant | null;
  /** When the last interactions were, the newest first; eleven at most. */
  readonly interactions: readonly { readonly id: string; readonly at: Instant }[];
  /** Meetings ahead, the next one first. */
  readonly meetings: readonly Meeting[];
}

/** Properties that decide about items of every kind. */
export const JUDGED = ['stage', 'lead_score', 'do_not_contact', 'unsubscribed', 'owner'] as const;

/** How much a property counts in what the workspace looks for: its share of the rules of a layer, 0..1. */
export type RuleShares = ReadonlyMap<string, number>;

/** A claim of a subject by its property. */
export function claimOf(subject: Subject, property: string): SubjectClaim | undefined {
  return subject.claims.find(claim => claim.property === property);
}

/** Where in a sale somebody stands; undefined: no stage, or a word of the workspace's own. */
export function groupOf(subject: Subject): StageGroup | 'ended' | undefined {
  const stage = claimOf(subject, 'stage');
  if (!stage) return undefined;
  if (stage.value === null) return 'ended';
  return typeof stage.value === 'string' ? stageGroup(stage.value) : undefined;
}

/** Whether a stage is given that is not over. */
export function isOpen(subject: Subject): boolean {
  const group = groupOf(subject);
  return claimOf(subject, 'stage') !== undefined && group !== 'ended' && group !== 'closed';
}

/** Whether nobody may turn to them. */
export function isShunned(subject: Subject): boolean {
  return ['do_not_contact', 'unsubscribed'].some(property => {
    const value = claimOf(subject, property)?.value ?? null;
    return value !== null && value !== false;
  });
}

/** How much the priority of somebody weighs: half to whole; one without a score is taken for 50. */
export function weightOfPriority(subject: Subject): number {
  return 0.5 + (0.5 * (priorityOf(subject) ?? 50)) / 100;
}

/** The priority by the last score, 0 to 100. */
export function priorityOf(subject: Subject): number | undefined {
  return fieldOf(claimOf(subject, 'lead_score')?.value, 'priority', 'number');
}

/** The play by the last score. */
export function playOf(subject: Subject): string | undefined {
  return fieldOf(claimOf(subject, 'lead_score')?.value, 'play', 'string');
}

/** A field of a JSON object, if it is of that type. */
export function fieldOf<Type extends 'number' | 'string'>(
  value: Json | undefined,
  field: string,
  type: Type,
): (Type extends 'number' ? number : string) | undefined {
  const held = typeof value === 'object' && value !== null && !Array.isArray(value) ? value[field] : undefined;
  return typeof held === type ? (held as Type extends 'number' ? number : string) : undefined;
}
