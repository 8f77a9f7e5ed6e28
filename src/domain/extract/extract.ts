import { canonicalKey } from '#domain/claims/canonical-key.js';
import type { Instant } from '#domain/time/instant.js';
import type { Extraction, ExtractionContext } from './extraction.js';
import type { Match, ExtractionRule } from './extraction-rule.js';
import { findReviewReason, isFromEarlierYear } from './review-rules.js';
import { bounceRule, outOfOfficeRule } from './rules/automatic-replies.js';
import { budgetRule } from './rules/budget.js';
import { contactRule } from './rules/contact.js';
import { departureRule } from './rules/departure.js';
import { knownNamesRule } from './rules/known-name-mentions.js';
import { replyRule } from './rules/replies.js';
import { roleRule } from './rules/role.js';
import { stageRule } from './rules/stage.js';
import { timelineRule } from './rules/timeline.js';
import { type Sentence, splitSentences } from './sentences.js';

const rules: readonly ExtractionRule[] = [
  contactRule,
  roleRule,
  departureRule,
  stageRule,
  budgetRule,
  timelineRule,
  knownNamesRule,
  replyRule,
  bounceRule,
  outOfOfficeRule,
];

/**
 * What English rules read in a text, in the order of the text, each with its quote. What has a `doubt` is for people
 * to look at. Rules would rather miss something than invent it. Total: never throws.
 */
export function extract(text: string, context: ExtractionContext): Extraction[] {
  return dropRepeats(splitSentences(text).flatMap(sentence => extractFromSentence(sentence, text, context)));
}

/** Returns what the rules read in one sentence of a text, repeats included. Total: never throws. */
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
  const doubt =
    found.doubt ?? findReviewReason(plain, found) ?? (isFromEarlierYear(plain, found, at) ? 'past' : undefined);
  const kind = found.kind ?? 'state';
  return { kind, property: found.property, value: found.value, rule, start, end, quote, ...(doubt && { doubt }) };
}

/** Drops repeats: the same said twice is said once, and beyond doubt if one of the two is. In the order of the text. */
export function dropRepeats(read: readonly Extraction[]): Extraction[] {
  const kept = new Map<string, Extraction>();
  for (const each of read) {
    const key = `${each.property} ${canonicalKey(each.value)}`;
    const known = kept.get(key);
    if (!known || (known.doubt && !each.doubt)) kept.set(key, each);
  }
  return [...kept.values()].toSorted((a, b) => a.start - b.start);
}
