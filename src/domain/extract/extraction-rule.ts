import type { JsonValue, ObservationKind } from '#domain/observation/observation.js';
import type { ReviewReason, ExtractionContext, TextSpan } from './extraction.js';

/** A find of a rule, with positions within the sentence, before the review rules are applied. */
export interface Match extends TextSpan {
  readonly property: string;
  readonly value: JsonValue;
  /** Default `state`. */
  readonly kind?: ObservationKind;
  /** Whether a negation within the find belongs to it: `no longer at`. */
  readonly negated?: boolean;
  /** Whether a question states the fact as well: `can you send me details?` */
  readonly question?: boolean;
  /** Whether a `would` or `will` within the find belongs to it. */
  readonly modal?: boolean;
  /** Whether the find is about plans: `will go live in May`. */
  readonly future?: boolean;
  /** Whether the find is about the past. */
  readonly past?: boolean;
  /** Review reason that the rule itself gives. */
  readonly doubt?: ReviewReason | undefined;
}

/** A rule that is applied to every sentence. */
export interface ExtractionRule {
  /** Letters, dots and underscores; the method of its finds is `rules:<id>`. */
  readonly id: string;
  /** Default: persons and companies. */
  readonly appliesTo?: ExtractionContext['subject'];
  find(sentence: string, context: ExtractionContext): readonly Match[];
}
