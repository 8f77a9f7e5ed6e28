import type { EpistemicClass } from '#domain/claims/confidence.js';
import { computeFreshness } from '#domain/claims/freshness.js';
import { type ClaimRules, ruleOf } from '#domain/claims/rules.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { isPlaceholder } from '#domain/properties/placeholders.js';
import type { Instant } from '#domain/time/instant.js';
import { type KnownFact, type MissingReason, MIN_CONFIDENCE } from './evidence.js';

/** The parts of a claim that decide whether it can be used. */
export interface ClaimSnapshot {
  readonly property: string;
  /** Null if the fact has ended. */
  readonly value: JsonValue;
  readonly confidence: number;
  readonly epistemicClass: EpistemicClass;
  readonly supportedAt: Instant;
  readonly ref: string | null;
}

/**
 * Converts a claim to evidence at one time. It can be used unless it has ended, is a placeholder, has expired or has a
 * confidence below 0.30.
 */
export function toKnownFact(rules: ClaimRules, claim: ClaimSnapshot, asOf: Instant): KnownFact {
  const { value, confidence, supportedAt: at, ref } = claim;
  const lack = findMissingReason(rules, claim, asOf);
  return { value, confidence, at, ref, ...(lack && { lack }) };
}

function findMissingReason(rules: ClaimRules, claim: ClaimSnapshot, asOf: Instant): MissingReason | undefined {
  const { property, value, confidence, epistemicClass, supportedAt } = claim;
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'absent';
  if (isPlaceholder(property, value)) return 'absent';
  const { halfLife } = ruleOf(rules, property);
  if (computeFreshness(rules.freshness, halfLife, supportedAt, asOf).freshness === 'expired') return 'expired';
  if (confidence >= MIN_CONFIDENCE) return undefined;
  return epistemicClass === 'contested' ? 'contested' : 'low_confidence';
}
