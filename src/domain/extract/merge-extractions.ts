import { canonicalKey } from '../comparison/canonical-key.js';
import type { ObservationDraft } from '../observation/observation.js';
import type { TextSpan } from './extraction.js';

/** Extractor: the calling agent, the rules, or a language model. */
export type ExtractionSource = 'agent' | 'rules' | 'llm';

/** An observation proposed by one extractor. */
export interface ExtractionCandidate {
  readonly source: ExtractionSource;
  readonly input: ObservationDraft;
  /** Reliability of its source and method, 0..1. */
  readonly r: number;
  /** Quote; null without one. */
  readonly quote: string | null;
  readonly span?: TextSpan;
}

/** A candidate with the methods of all extractors that agree, the most reliable first. */
export interface MergedExtraction extends ExtractionCandidate {
  readonly methods: readonly string[];
}

/**
 * Merges the candidates of all extractors. If several agree (same property and canonical value), the most reliable one
 * is recorded. Different values are all recorded; the fold decides between them. Repeats of one extractor are kept,
 * since they may be meant.
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

/**
 * Returns a key that is equal for observations that state the same. Events of one type are the same, whatever their
 * value.
 */
function meaningOf({ kind, property, value }: ObservationDraft): string {
  return kind === 'event' ? `${kind} ${property}` : `${kind} ${property} ${canonicalKey(value)}`;
}

function mergePair(known: MergedExtraction, proposal: ExtractionCandidate): MergedExtraction {
  const isBetter = proposal.r > known.r;
  const methods = isBetter ? [proposal.input.method, ...known.methods] : [...known.methods, proposal.input.method];
  return { ...(isBetter ? proposal : known), quote: known.quote ?? proposal.quote, methods: [...new Set(methods)] };
}
