import type { Instant } from '../time/instant.js';
import type { JsonValue, ObservationKind } from '../observation/observation.js';

/** A span of a text: `text.slice(start, end)` is the quote. */
export interface TextSpan {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Reasons why a find needs review instead of being recorded. */
export const REVIEW_REASONS = {
  negated: 'The sentence negated something.',
  question: 'The sentence asks.',
  hedged: 'The sentence says maybe, or only under a condition.',
  past: 'The sentence speaks of how things were.',
  somebody_else: 'The sentence is about somebody with another name.',
  first_person: 'Whether "I" is the contact cannot be told from the text.',
  other_company: 'The company is another one than is known for the contact.',
  unattributed: 'Whose it is, the text does not say.',
  several_values: 'The sentence names more than one.',
  mere_mention: 'It is mentioned, and not said to be in use or under discussion.',
  about_company: "It is about the contact's company. Send it with the company as the focus.",
  suppression: "It would end all contact, and is not plainly the contact's own request.",
  quote_not_found: 'The quote does not occur in the text.',
} as const;

/** One of {@link REVIEW_REASONS}. */
export type ReviewReason = keyof typeof REVIEW_REASONS;

/** A fact that a text states about its subject, with its quote. */
export interface Extraction extends TextSpan {
  readonly kind: ObservationKind;
  readonly property: string;
  readonly value: JsonValue;
  /** ID of the rule: `contact`, `role`, `left`, `stage` … */
  readonly rule: string;
  /** The quoted words, as in the text. */
  readonly quote: string;
  /** Absent if the find needs no review. */
  readonly reviewReason?: ReviewReason;
}

/** Context in which a text is read. */
export interface ExtractionContext {
  /** Time of writing: `next month` is relative to it, in UTC. */
  readonly at: Instant;
  readonly subject: 'person' | 'company';
  /** Names of the subject in any spelling. If empty, every name may be the subject's. */
  readonly names: readonly string[];
  /** Known employers of the subject. */
  readonly companies: readonly string[];
  /** Whether the subject wrote the text (a reply, a form), so that `I` is the subject. */
  readonly isAuthor: boolean;
  readonly competitors: readonly string[];
  readonly technologies: readonly string[];
}

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
  readonly reviewReason?: ReviewReason | undefined;
}

/** A rule that is applied to every sentence. */
export interface ExtractionRule {
  /** Letters, dots and underscores; the method of its finds is `rules:<id>`. */
  readonly id: string;
  /** Default: persons and companies. */
  readonly appliesTo?: ExtractionContext['subject'];
  find(sentence: string, context: ExtractionContext): readonly Match[];
}
