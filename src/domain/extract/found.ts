import type { Json, ObservationKind } from '#domain/observation/observation.js';
import type { Doubt, ReadingContext, Span } from './extraction.js';

/** What a rule has found in a sentence, in places of the sentence, before the guards have looked at it. */
export interface Found extends Span {
  readonly property: string;
  readonly value: Json;
  /** Default `state`. */
  readonly kind?: ObservationKind;
  /** The find has a negation in it that belongs there: `no longer at`. */
  readonly denies?: boolean;
  /** A request means what it asks for: `can you send me details?` */
  readonly asks?: boolean;
  /** The find has a `would` or `will` in it that belongs there. */
  readonly says?: boolean;
  /** It speaks of plans: `will go live in May`. */
  readonly plans?: boolean;
  /** It speaks of what was. */
  readonly remembers?: boolean;
  /** What the rule itself doubts. */
  readonly doubt?: Doubt | undefined;
}

/** One thing that is looked for in every sentence. */
export interface Rule {
  /** Letters and dots; the method of what it finds is `rules:<id>`. */
  readonly id: string;
  /** Absent: persons and companies alike. */
  readonly of?: ReadingContext['subject'];
  find(sentence: string, context: ReadingContext): readonly Found[];
}
