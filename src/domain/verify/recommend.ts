import { appendStatement } from '#domain/claims/fold.js';
import { type ClaimRules, ruleOf } from '#domain/claims/rules.js';
import { toClaim } from '#domain/claims/present-claim.js';
import { emptyState, type PropertyState } from '#domain/claims/property-state.js';
import type { JsonValue } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';

/** A way to verify a fact. */
export interface Recommendation {
  /** `ask` the person, `verify` the address, `enrich` from a provider, `research` by an agent. */
  readonly how: 'ask' | 'verify' | 'enrich' | 'research';
  /** The `source/method` with which the result would be recorded. */
  readonly source: string;
  /** Confidence if the result confirmed the current value; 0..1. */
  readonly expected_confidence: number;
}

const ADDRESS_PROPERTIES: ReadonlySet<string> = new Set(['email', 'email_status', 'phone']);

/**
 * Returns ways to increase the confidence of a fact, the most effective first. Each is simulated by folding a statement
 * of the current value into the state.
 * @param state current state; undefined if nothing was ever stated.
 */
export function recommend(
  rules: ClaimRules,
  property: string,
  state: PropertyState | undefined,
  now: Instant,
): Recommendation[] {
  const ways = [
    { how: 'ask', source: 'user', method: 'manual' },
    ...(ADDRESS_PROPERTIES.has(property) ? [{ how: 'verify', source: 'email', method: 'verifier' } as const] : []),
    { how: 'enrich', source: 'enrichment', method: 'api' },
    { how: 'research', source: 'agent', method: 'api' },
  ] as const;
  return ways
    .map(({ how, source, method }) => ({
      how,
      source: `${source}/${method}`,
      expected_confidence: computeExpectedConfidence(rules, property, state ?? emptyState(), { source, method }, now),
    }))
    .sort((one, other) => other.expected_confidence - one.expected_confidence);
}

function computeExpectedConfidence(
  rules: ClaimRules,
  property: string,
  state: PropertyState,
  origin: { readonly source: string; readonly method: string },
  now: Instant,
): number {
  const at = Math.max(now, (state.greatest?.t ?? now) + 1);
  const value = currentValue(rules, property, state, now);
  const statement = { id: '', property, value, ...origin, observedAt: at, digest: '', event: false };
  const after = appendStatement(rules, property, { ...state, nextChangeAt: null }, statement, at);
  return after === 'late' ? 0 : (toClaim(rules, property, after.state, at)?.confidence ?? 0);
}

function currentValue(rules: ClaimRules, property: string, state: PropertyState, now: Instant): JsonValue {
  const known = toClaim(rules, property, state, now)?.value ?? '?';
  return ruleOf(rules, property).cardinality === 'many' && Array.isArray(known) && known.length === 0 ? '?' : known;
}
