import type { Claim } from '#domain/claims/claim.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { SAFE_CONFIDENCE, type Verdict } from './verdict.js';

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
