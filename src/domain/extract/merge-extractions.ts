import { canonicalKey } from '#domain/claims/canonical-key.js';
import type { ObservationDraft } from '#domain/observation/observation.js';
import type { TextSpan } from './extraction.js';

/** Who read it: the calling agent, our rules, or a language model. */
export type ExtractionSource = 'agent' | 'rules' | 'llm';

/** What one of the doors makes of a text. */
export interface ExtractionCandidate {
  readonly door: ExtractionSource;
  readonly input: ObservationDraft;
  /** How far its source and method are trusted, 0..1. */
  readonly r: number;
  /** The words that say it; null where none were given. */
  readonly quote: string | null;
  readonly span?: TextSpan;
}

/** A proposal, with the methods of all that say the same; its own is the most reliable and stands first. */
export interface MergedExtraction extends ExtractionCandidate {
  readonly methods: readonly string[];
}

/**
 * Puts together what the doors propose. Where several say the same (property and canonical value), the most reliable
 * one is recorded. Different values are all recorded: what holds is for the fold to say. What one door says twice it
 * may mean twice.
 */
export function mergeExtractions(candidateLists: readonly (readonly ExtractionCandidate[])[]): MergedExtraction[] {
  const agreed: MergedExtraction[] = [];
  for (const proposals of candidateLists) {
    const known = new Map<string, number>();
    for (const [place, { input }] of agreed.entries()) {
      const key = meaningOf(input);
      if (!known.has(key)) known.set(key, place);
    }
    for (const proposal of proposals) {
      const place = known.get(meaningOf(proposal.input));
      if (place === undefined) agreed.push({ ...proposal, methods: [proposal.input.method] });
      else agreed[place] = mergePair(agreed[place]!, proposal);
    }
  }
  return agreed;
}

/** What two observations that say the same have in common: events of a kind are the same, whatever they hold. */
function meaningOf({ kind, property, value }: ObservationDraft): string {
  return kind === 'event' ? `${kind} ${property}` : `${kind} ${property} ${canonicalKey(value)}`;
}

function mergePair(known: MergedExtraction, proposal: ExtractionCandidate): MergedExtraction {
  const isBetter = proposal.r > known.r;
  const methods = isBetter ? [proposal.input.method, ...known.methods] : [...known.methods, proposal.input.method];
  return { ...(isBetter ? proposal : known), quote: known.quote ?? proposal.quote, methods: [...new Set(methods)] };
}
