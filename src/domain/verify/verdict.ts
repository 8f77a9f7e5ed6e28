import { comparisonKey, comparisonTypeOf, valuesAgree } from '../comparison/comparison-key.js';
import type { Claim } from '../claims/claim.js';
import { SAFE_CONFIDENCE } from '../claims/safe-to-use.js';
import { parseMemberChanges, emptyState, type PropertyState } from '../claims/property-state.js';
import { type PropertyRule, type ClaimRules, ruleOf } from '../claims/rules.js';
import type { JsonValue } from '../observation/observation.js';
import { appendStatement } from '../claims/fold.js';
import { toClaim } from '../claims/present-claim.js';
import type { Instant } from '../time/instant.js';

/** Verdicts on a fact, in the order in which they are checked. */
export const VERDICTS = ['unknown', 'ended', 'changed', 'contested', 'stale', 'confirmed'] as const;

/** One of {@link VERDICTS}. */
export type Verdict = (typeof VERDICTS)[number];

/**
 * Returns the first verdict that applies: unknown, ended, different from the caller's value, contested, suspect or
 * expired; else confirmed.
 * @param matches whether the caller's value equals that of the claim; undefined if the caller gave none.
 */
export function decideVerdict(claim: Claim | undefined, matches: boolean | undefined): Verdict {
  if (!claim) return 'unknown';
  if (claim.status === 'ended') return 'ended';
  if (matches === false) return 'changed';
  if (claim.epistemic_class === 'contested') return 'contested';
  return claim.freshness === 'suspect' || claim.freshness === 'expired' ? 'stale' : 'confirmed';
}

/**
 * Returns whether the caller's value matches the claim, compared as claims are: a less exact value matches an exact
 * one. For a property with many values, all given values must be current. An ended fact matches null or an empty list.
 */
export function isClaimMatch(rule: PropertyRule, claim: Claim | undefined, believed: JsonValue): boolean {
  const key = (value: JsonValue) => comparisonKey(comparisonTypeOf(claim?.property ?? ''), value);
  const value = claim?.value ?? null;
  if (rule.cardinality === 'single' || !Array.isArray(value))
    return valuesAgree(claim?.property ?? '', value, believed);
  if (believed === null) return value.length === 0;
  const held = new Set(value.map(key));
  return parseMemberChanges(believed).every(member => held.has(key(member.value)) !== member.ended);
}

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
  const about = state.address ? { address: state.address } : undefined;
  const statement = { id: '', property, value, ...origin, observedAt: at, digest: '', event: false, ...about };
  const after = appendStatement(rules, property, { ...state, nextChangeAt: null }, statement, at);
  return after === 'late' ? 0 : (toClaim(rules, property, after.state, at)?.confidence ?? 0);
}

function currentValue(rules: ClaimRules, property: string, state: PropertyState, now: Instant): JsonValue {
  const known = toClaim(rules, property, state, now)?.value ?? '?';
  return ruleOf(rules, property).cardinality === 'many' && Array.isArray(known) && known.length === 0 ? '?' : known;
}

const MAX_VALUE_LENGTH = 80;

/**
 * Describes the verdict in one or two sentences.
 * @param property name that the caller used.
 */
export function describeVerification(
  verdict: Verdict,
  property: string,
  claim: Claim | undefined,
  cachedDiffers: boolean,
): string {
  const found = claim ? describeVerdict(verdict, property, claim) : `Nothing is known of ${property}.`;
  return cachedDiffers
    ? `${found} The stored claim said something else than the log; trust what is answered here.`
    : found;
}

function describeVerdict(verdict: Verdict, property: string, claim: Claim): string {
  const value = formatValue(claim.value);
  const last = claim.last_observed_at.slice(0, 10);
  switch (verdict) {
    case 'ended':
      return `${property} has ended: so it was last stated on ${last}.`;
    case 'changed':
      return `${property} is ${value} by now, last stated on ${last}${describeDoubts(claim)}.`;
    case 'contested':
      return `${property} is contested: ${value} prevails, but ${describeOpposition(claim)}.`;
    case 'stale':
      if (claim.freshness_reason !== undefined)
        return `${property} was ${value} when last stated on ${last}. ${claim.freshness_reason}`;
      return `${property} was ${value} when last stated on ${last}, and is still ${claim.freshness}: ask again before acting on it.`;
    default:
      return `${property} is ${value}, last stated on ${last}${describeDoubts(claim)}.`;
  }
}

/** Returns what makes a fact unsafe to act on although nothing contradicts it. */
function describeDoubts({ freshness, confidence, epistemic_class: epistemicClass }: Claim): string {
  const doubts = [
    freshness === 'fresh' ? [] : [`it is ${freshness}`],
    confidence > SAFE_CONFIDENCE ? [] : [`its confidence is only ${confidence}`],
    epistemicClass === 'contested' ? ['sources disagree'] : [],
    epistemicClass === 'inferred' ? ['it is only inferred'] : [],
  ].flat();
  return doubts.length > 0 ? `; mind that ${doubts.join(' and ')}` : '';
}

function describeOpposition({ opposing }: Claim): string {
  const [strongest] = opposing;
  return strongest ? `${strongest.source} says ${formatValue(strongest.value)}` : 'sources disagree';
}

function formatValue(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH - 1)}…`;
}
