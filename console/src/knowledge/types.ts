import type { Schemas } from '../api/schemas.ts';

/** A claim about an account. */
export type Claim = Schemas['Claim'];
/** A claim with every statement about it. */
export type ClaimEvidence = Schemas['ClaimEvidence'];
/** A statement about a property. */
export type Statement = Schemas['ClaimStatement'];
/** How well a value of a list row is known. */
export type Epistemics = Schemas['Epistemics'];
export type Freshness = Claim['freshness'];
export type EpistemicClass = Claim['epistemic_class'];

/** A claim above this confidence is safe to act on, if nothing else speaks against it. */
const SAFE_CONFIDENCE = 0.7;

/** Returns whether an agent may act on a claim without checking it first, by the rule of the hub. */
export function isSafe({ status, freshness, confidence, epistemic_class }: Claim): boolean {
  return (
    status === 'current' &&
    freshness === 'fresh' &&
    confidence > SAFE_CONFIDENCE &&
    epistemic_class !== 'contested' &&
    epistemic_class !== 'inferred'
  );
}

/** The moment that a page shows. Undefined times are now. */
export interface ShownMoment {
  /** Shows what was the case at this time, ISO 8601. */
  readonly as_of?: string | undefined;
  /** Leaves out what was recorded later, ISO 8601. */
  readonly known_at?: string | undefined;
}

/** The present, as everything that is known by now tells it. */
export const PRESENT: ShownMoment = {};
