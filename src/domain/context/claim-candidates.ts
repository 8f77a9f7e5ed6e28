import type { Claim } from '#domain/claims/claim.js';
import type { Json } from '#domain/observation/observation.js';
import { inWords } from '#domain/observation/summary.js';
import type { ContextCandidate } from './candidate.js';

/** A claim of the entity that context is about, or of its company. */
export interface OwnedClaim extends Claim {
  readonly entity_id: string;
  readonly of: 'self' | 'company';
}

/** Told by the identity, or of no use in words. */
const UNTOLD = new Set(['name', 'first_name', 'last_name', 'lead_score']);

/** What rules a contact out, whatever the task. */
const BARRED: ReadonlySet<string> = new Set(['do_not_contact', 'unsubscribed']);
const BAD_MAIL: ReadonlySet<Json> = new Set(['bounced', 'unsubscribed', 'invalid']);

/** From this confidence on a fresh claim may be acted on. */
export const SAFE_CONFIDENCE = 0.7;

/** The name of a claim among all: it stays the same while its value changes. */
export function refOfClaim({ entity_id, property }: Pick<OwnedClaim, 'entity_id' | 'property'>): string {
  return `${entity_id}:${property}`;
}

/** Whether a claim may be acted on without checking: current, fresh, surer than 0.7, and not contested. */
export function isSafe(claim: Claim): boolean {
  const { status, freshness, confidence, epistemic_class } = claim;
  return (
    status === 'current' && freshness === 'fresh' && confidence > SAFE_CONFIDENCE && epistemic_class !== 'contested'
  );
}

/**
 * What must be told whatever the task and budget: what rules the contact out first, then what is contested, with both
 * values.
 */
export function pinnedOf(claims: readonly OwnedClaim[]): ContextCandidate[] {
  const inOrder = claims.toSorted((a, b) => (refOfClaim(a) < refOfClaim(b) ? -1 : 1));
  const barring = inOrder.filter(bars);
  const contested = inOrder.filter(claim => isTold(claim) && claim.epistemic_class === 'contested' && !bars(claim));
  return [
    ...barring.map(claim => ({ ...candidateOf(claim, false, 40), caution: 'do not contact' })),
    ...contested.map(claim => candidateOf(claim, false, 80)),
  ];
}

/** Claims that may be told. @param boosted properties that the intent asks for, `company.` before the company's. */
export function claimCandidates(
  claims: readonly OwnedClaim[],
  boosted: ReadonlySet<string>,
  minConfidence: number,
): ContextCandidate[] {
  return claims
    .filter(claim => isTold(claim) && claim.confidence >= minConfidence)
    .map(claim => candidateOf(claim, boosted.has(nameOf(claim)) || boosted.has(claim.property), 240));
}

/** What a claim says, on one line. */
export function claimInWords({ property, value }: Pick<Claim, 'property' | 'value'>, longest = 240): string {
  if (property.startsWith('signal.') && value !== null && typeof value === 'object' && !Array.isArray(value)) {
    const told = [value['detected'], value['implies'], value['angle']].filter(part => typeof part === 'string');
    if (told.length > 0) return inWords(told.join('; '), longest);
  }
  return inWords(value, longest);
}

function candidateOf(claim: OwnedClaim, boosted: boolean, longest: number): ContextCandidate {
  const caution = cautionOf(claim);
  return {
    kind: 'claim',
    refId: refOfClaim(claim),
    label: `${nameOf(claim)} | ${claim.confidence.toFixed(2)} ${claim.freshness} ${claim.epistemic_class}`,
    text: claimInWords(claim, longest),
    words: nameOf(claim).replaceAll(/[._]/g, ' '),
    freshness: claim.freshness_score,
    confidence: claim.confidence,
    past: claim.status === 'ended',
    boosted,
    ...(caution && { caution }),
  };
}

function cautionOf({ status, epistemic_class, opposing, freshness, confidence }: Claim): string | undefined {
  if (epistemic_class === 'contested' && opposing[0])
    return `contested: ${inWords(opposing[0].source, 30)} says ${inWords(opposing[0].value, 60)}`;
  if (status === 'ended') return 'ended';
  if (freshness === 'suspect' || freshness === 'expired') return 'old: verify before use';
  return confidence > SAFE_CONFIDENCE ? undefined : 'unsure: verify before use';
}

function bars({ property, value, status }: Claim): boolean {
  if (status === 'ended') return false;
  return BARRED.has(property) ? value === true || value === 'true' : property === 'email_status' && BAD_MAIL.has(value);
}

function isTold({ property }: Claim): boolean {
  return !UNTOLD.has(property);
}

function nameOf({ property, of }: OwnedClaim): string {
  return of === 'company' ? `company.${property}` : property;
}
