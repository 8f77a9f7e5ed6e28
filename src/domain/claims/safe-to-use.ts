import type { Claim } from './claim.js';

/** A claim above this confidence is safe to act on, if nothing else speaks against it. */
export const SAFE_CONFIDENCE = 0.7;

/**
 * Returns whether a claim is safe to act on without checking: current, fresh, above 0.7 confidence, neither contested nor
 * only inferred. Guesses that agree are still guesses, often of the same text, however high their joint confidence.
 */
export function isSafe({ status, freshness, confidence, epistemic_class }: Claim): boolean {
  return (
    status === 'current' &&
    freshness === 'fresh' &&
    confidence > SAFE_CONFIDENCE &&
    epistemic_class !== 'contested' &&
    epistemic_class !== 'inferred'
  );
}
