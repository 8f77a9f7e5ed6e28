import { canonKey } from '#domain/claims/canon.js';
import type { ObservationInput } from '#domain/observation/observation.js';
import type { Span } from './extraction.js';

/** Who read it: the calling agent, our rules, or a language model. */
export type Door = 'agent' | 'rules' | 'llm';

/** What one of the doors makes of a text. */
export interface Proposal {
  readonly door: Door;
  readonly input: ObservationInput;
  /** How far its source and method are trusted, 0..1. */
  readonly r: number;
  /** The words that say it; null where none were given. */
  readonly quote: string | null;
  readonly span?: Span;
}

/** A proposal, with the methods of all that say the same; its own is the most reliable and stands first. */
export interface Agreed extends Proposal {
  readonly methods: readonly string[];
}

/**
 * Puts together what the doors propose. Where several say the same (property and canonical value), the most reliable
 * one is recorded. Different values are all recorded: what holds is for the fold to say. What one door says twice it
 * may mean twice.
 */
export function mergeDoors(doors: readonly (readonly Proposal[])[]): Agreed[] {
  const agreed: Agreed[] = [];
  for (const proposals of doors) {
    const known = new Map<string, number>();
    for (const [place, { input }] of agreed.entries()) {
      const key = meaningOf(input);
      if (!known.has(key)) known.set(key, place);
    }
    for (const proposal of proposals) {
      const place = known.get(meaningOf(proposal.input));
      if (place === undefined) agreed.push({ ...proposal, methods: [proposal.input.method] });
      else agreed[place] = together(agreed[place]!, proposal);
    }
  }
  return agreed;
}

/** What two observations that say the same have in common: events of a kind are the same, whatever they hold. */
function meaningOf({ kind, property, value }: ObservationInput): string {
  return kind === 'event' ? `${kind} ${property}` : `${kind} ${property} ${canonKey(value)}`;
}

function together(known: Agreed, proposal: Proposal): Agreed {
  const isBetter = proposal.r > known.r;
  const methods = isBetter ? [proposal.input.method, ...known.methods] : [...known.methods, proposal.input.method];
  return { ...(isBetter ? proposal : known), quote: known.quote ?? proposal.quote, methods: [...new Set(methods)] };
}
