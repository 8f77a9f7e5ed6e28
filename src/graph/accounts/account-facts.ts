import type { Claim } from '#domain/claims/claim.js';
import { describeClaim } from '#domain/context/claim-candidates.js';

/** A signal or note claim, worded as a sentence. */
export interface FactSentence {
  /** The property: `signal.hiring`. */
  readonly category: string;
  readonly content: string;
  readonly date: string;
}

/** Maximum number of sentences in a response; the newest are kept. */
export const MAX_FACT_SENTENCES = 15;

/** Returns whether a claim is a signal or a note, whose value reads as a sentence. */
export function isFact({ property }: Pick<Claim, 'property'>): boolean {
  return property.startsWith('signal.') || property.startsWith('note.');
}

/** Words a signal or note claim as a sentence. */
export function toSentence(claim: Claim): FactSentence {
  return { category: claim.property, content: describeClaim(claim), date: claim.last_observed_at };
}

/** Returns the current signals and notes as sentences, newest first, at most `MAX_FACT_SENTENCES`. */
export function toFactSentences(claims: readonly Claim[]): FactSentence[] {
  const current = claims.filter(claim => isFact(claim) && claim.status === 'current');
  return current.map(toSentence).sort(compareNewestFirst).slice(0, MAX_FACT_SENTENCES);
}

/** Compares two sentences by date, newest first. */
export function compareNewestFirst(one: FactSentence, other: FactSentence): number {
  return one.date < other.date ? 1 : -1;
}
