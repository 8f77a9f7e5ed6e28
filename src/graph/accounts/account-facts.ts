import type { Claim } from '#domain/claims/claim.js';
import { describeClaim } from '#domain/context/claim-candidates.js';

/** A signal or a single note as a sentence. */
export interface FactSentence {
  /** The property: `signal.hiring`. */
  readonly category: string;
  readonly content: string;
  readonly date: string;
}

/** Sentences that are shown, the newest. */
export const MAX_FACT_SENTENCES = 15;

/** Claims whose values are sentences more than values. */
export function isFact({ property }: Pick<Claim, 'property'>): boolean {
  return property.startsWith('signal.') || property.startsWith('note.');
}

/** A signal or a single note as a sentence. */
export function toSentence(claim: Claim): FactSentence {
  return { category: claim.property, content: describeClaim(claim), date: claim.last_observed_at };
}

/** The signals and single notes that hold, as sentences, the newest first. */
export function toFactSentences(claims: readonly Claim[]): FactSentence[] {
  const holding = claims.filter(claim => isFact(claim) && claim.status === 'current');
  return holding.map(toSentence).sort(compareNewestFirst).slice(0, MAX_FACT_SENTENCES);
}

/** Orders sentences by date, the newest first. */
export function compareNewestFirst(one: FactSentence, other: FactSentence): number {
  return one.date < other.date ? 1 : -1;
}
