import type { JsonValue, ObservationKind } from '#domain/observation/observation.js';
import type { ReviewReason, ExtractionContext, TextSpan } from './extraction.js';

/** What a rule has found in a sentence, in places of the sentence, before the guards have looked at it. */
export interface Match extends TextSpan {
  readonly property: string;
  readonly value: JsonValue;
  /** Default `state`. */
  readonly kind?: ObservationKind;
  /** The find has a negation in it that belongs there: `no longer at`. */
  readonly negated?: boolean;
  /** A request means what it asks for: `can you send me details?` */
  readonly question?: boolean;
  /** The find has a `would` or `will` in it that belongs there. */
  readonly modal?: boolean;
  /** It speaks of plans: `will go live in May`. */
  readonly future?: boolean;
  /** It speaks of what was. */
  readonly past?: boolean;
  /** What the rule itself doubts. */
  readonly doubt?: ReviewReason | undefined;
}

/** One thing that is looked for in every sentence. */
export interface ExtractionRule {
  /** Letters and dots; the method of what it finds is `rules:<id>`. */
  readonly id: string;
  /** Absent: persons and companies alike. */
  readonly appliesTo?: ExtractionContext['subject'];
  find(sentence: string, context: ExtractionContext): readonly Match[];
}
