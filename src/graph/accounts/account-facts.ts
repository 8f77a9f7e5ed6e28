import type { Claim } from '#domain/claims/claim.js';
import { claimInWords } from '#domain/context/claim-candidates.js';

/** A signal or a single note as a sentence. */
export interface FactInWords {
  /** The property: `signal.hiring`. */
  readonly category: string;
  readonly content: string;
  readonly date: string;
}

/** Sentences that are shown, the newest. */
export const MOST_FACTS = 15;

/** Claims whose values are sentences more than values. */
export function isFact({ property }: Pick<Claim, 'property'>): boolean {
  return property.startsWith('signal.') || property.startsWith('note.');
}

/** A signal or a single note as a sentence. */
export function factInWords(claim: Claim): FactInWords {
  return { category: claim.property, content: claimInWords(claim), date: claim.last_observed_at };
}

/** The signals and single notes that hold, as sentences, the newest first. */
export function factsOf(claims: readonly Claim[]): FactInWords[] {
  const holding = claims.filter(claim => isFact(claim) && claim.status === 'current');
  return holding.map(factInWords).sort(newestFirst).slice(0, MOST_FACTS);
}

/** Orders sentences by date, the newest first. */
export function newestFirst(one: FactInWords, other: FactInWords): number {
  return one.date < other.date ? 1 : -1;
}
