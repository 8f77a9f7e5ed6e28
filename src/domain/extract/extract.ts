import { canonicalKey } from '#domain/claims/canonical-key.js';
import type { Instant } from '#domain/time/instant.js';
import type { Extraction, ExtractionContext, Match, ExtractionRule } from './extraction.js';
import { findReviewReason, isFromEarlierYear } from './review-rules.js';
import { bounceRule, outOfOfficeRule, replyRule } from './rules/replies.js';
import { budgetRule } from './rules/budget.js';
import { contactRule } from './rules/contact.js';
import { departureRule } from './rules/departure.js';
import { knownNamesRule } from './rules/known-name-mentions.js';
import { roleRule } from './rules/role.js';
import { stageRule } from './rules/stage.js';
import { companyFactsRule } from './rules/company-facts.js';
import { commitmentRule } from './rules/commitments.js';
import { roleTranslationsRule } from './rules/role-translations.js';
import { extractSignature } from './signature.js';
import { timelineRule } from './rules/timeline.js';
import { type Sentence, splitSentences } from './sentences.js';

const rules: readonly ExtractionRule[] = [
  contactRule,
  roleRule,
  departureRule,
  stageRule,
  budgetRule,
  timelineRule,
  companyFactsRule,
  commitmentRule,
  roleTranslationsRule,
  knownNamesRule,
  replyRule,
  bounceRule,
  outOfOfficeRule,
];

/**
 * Returns what rules find in a text in English, German, French or Spanish, in order, each with its quote. Finds with a `reviewReason` need a person's
 * review. Rules prefer a miss to a false find. Never throws.
 */
export function extract(text: string, context: ExtractionContext): Extraction[] {
  const stated = splitSentences(text).flatMap(sentence => extractFromSentence(sentence, text, context));
  return dropRepeats([...stated, ...extractSignature(text, context)]);
}

/** Returns what the rules find in one sentence, repeats included. Never throws. */
export function extractFromSentence(
  { plain, start }: Sentence,
  text: string,
  context: ExtractionContext,
): Extraction[] {
  return rules
    .filter(({ appliesTo = context.subject }) => appliesTo === context.subject)
    .flatMap(({ id, find }) =>
      find(plain, context).map(found => toExtraction(id, found, plain, start, text, context.at)),
    );
}

function toExtraction(
  rule: string,
  found: Match,
  plain: string,
  offset: number,
  text: string,
  at: Instant,
): Extraction {
  const [start, end] = [offset + found.start, offset + found.end];
  const quote = text.slice(start, end);
  const reviewReason =
    found.reviewReason ?? findReviewReason(plain, found) ?? (isFromEarlierYear(plain, found, at) ? 'past' : undefined);
  const kind = found.kind ?? 'state';
  return {
    kind,
    property: found.property,
    value: found.value,
    rule,
    start,
    end,
    quote,
    ...(reviewReason && { reviewReason }),
  };
}

/** Drops repeats, preferring those that need no review. Returns the rest in the order of the text. */
export function dropRepeats(read: readonly Extraction[]): Extraction[] {
  const strongest = new Map<string, Extraction>();
  for (const each of read) {
    const key = `${each.property} ${canonicalKey(each.value)}`;
    const known = strongest.get(key);
    if (!known || (known.reviewReason && !each.reviewReason)) strongest.set(key, each);
  }
  return [...strongest.values()].toSorted((a, b) => a.start - b.start);
}
