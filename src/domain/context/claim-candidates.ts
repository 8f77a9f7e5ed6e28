import type { Claim } from '#domain/claims/claim.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { toPlainText } from '#domain/observation/summary.js';
import type { ContextCandidate } from './context-candidate.js';

/** A claim of the entity that the context is about, or of its company. */
export interface OwnedClaim extends Claim {
  readonly entity_id: string;
  readonly of: 'self' | 'company';
}

/** Covered by the identity line, or of no use as text. */
const EXCLUDED_PROPERTIES = new Set(['name', 'first_name', 'last_name', 'lead_score']);

/** Opt-outs and unusable addresses, which are always included. */
const OPT_OUT_PROPERTIES: ReadonlySet<string> = new Set(['do_not_contact', 'unsubscribed']);
const UNUSABLE_EMAIL_STATUSES: ReadonlySet<JsonValue> = new Set(['bounced', 'unsubscribed', 'invalid']);

/** A fresh claim above this confidence is safe to act on. */
export const MIN_SAFE_CONFIDENCE = 0.7;

/** Returns the stable reference of a claim, which does not change with its value. */
export function formatClaimRef({ entity_id, property }: Pick<OwnedClaim, 'entity_id' | 'property'>): string {
  return `${entity_id}:${property}`;
}

/**
 * Returns whether a claim is safe to act on without checking: current, fresh, confidence above 0.7, and not contested.
 */
export function isSafeClaim(claim: Claim): boolean {
  const { status, freshness, confidence, epistemic_class } = claim;
  return (
    status === 'current' && freshness === 'fresh' && confidence > MIN_SAFE_CONFIDENCE && epistemic_class !== 'contested'
  );
}

/**
 * Returns the claims that are included whatever the task and budget: opt-outs first, then contested claims with both
 * values.
 */
export function selectPinnedCandidates(claims: readonly OwnedClaim[]): ContextCandidate[] {
  const inOrder = claims.toSorted((a, b) => (formatClaimRef(a) < formatClaimRef(b) ? -1 : 1));
  const barring = inOrder.filter(isOptOut);
  const contested = inOrder.filter(
    claim => isIncluded(claim) && claim.epistemic_class === 'contested' && !isOptOut(claim),
  );
  return [
    ...barring.map(claim => ({ ...toClaimCandidate(claim, false, 40), caution: 'do not contact' })),
    ...contested.map(claim => toClaimCandidate(claim, false, 80)),
  ];
}

/**
 * Returns the claims that may be included.
 * @param boosted properties that the intent asks for; those of the company have the prefix `company.`.
 */
export function toClaimCandidates(
  claims: readonly OwnedClaim[],
  boosted: ReadonlySet<string>,
  minConfidence: number,
): ContextCandidate[] {
  return claims
    .filter(claim => isIncluded(claim) && claim.confidence >= minConfidence)
    .map(claim => toClaimCandidate(claim, boosted.has(formatPropertyName(claim)) || boosted.has(claim.property), 240));
}

/** Describes the value of a claim on one line. */
export function describeClaim({ property, value }: Pick<Claim, 'property' | 'value'>, longest = 240): string {
  if (property.startsWith('signal.') && value !== null && typeof value === 'object' && !Array.isArray(value)) {
    const parts = [value['detected'], value['implies'], value['angle']].filter(part => typeof part === 'string');
    if (parts.length > 0) return toPlainText(parts.join('; '), longest);
  }
  return toPlainText(value, longest);
}

function toClaimCandidate(claim: OwnedClaim, boosted: boolean, longest: number): ContextCandidate {
  const caution = findCaution(claim);
  return {
    kind: 'claim',
    refId: formatClaimRef(claim),
    label: `${formatPropertyName(claim)} | ${claim.confidence.toFixed(2)} ${claim.freshness} ${claim.epistemic_class}`,
    text: describeClaim(claim, longest),
    words: formatPropertyName(claim).replaceAll(/[._]/g, ' '),
    freshness: claim.freshness_score,
    confidence: claim.confidence,
    past: claim.status === 'ended',
    boosted,
    ...(caution && { caution }),
  };
}

function findCaution({ status, epistemic_class, opposing, freshness, confidence }: Claim): string | undefined {
  if (epistemic_class === 'contested' && opposing[0])
    return `contested: ${toPlainText(opposing[0].source, 30)} says ${toPlainText(opposing[0].value, 60)}`;
  if (status === 'ended') return 'ended';
  if (freshness === 'suspect' || freshness === 'expired') return 'old: verify before use';
  return confidence > MIN_SAFE_CONFIDENCE ? undefined : 'unsure: verify before use';
}

function isOptOut({ property, value, status }: Claim): boolean {
  if (status === 'ended') return false;
  return OPT_OUT_PROPERTIES.has(property)
    ? value === true || value === 'true'
    : property === 'email_status' && UNUSABLE_EMAIL_STATUSES.has(value);
}

function isIncluded({ property }: Claim): boolean {
  return !EXCLUDED_PROPERTIES.has(property);
}

function formatPropertyName({ property, of }: OwnedClaim): string {
  return of === 'company' ? `company.${property}` : property;
}
