import type { Match, ExtractionRule, Extraction, ExtractionContext } from './extraction.js';
import { findDate, toUtcDay } from './rules/dates.js';
import { canonicalKey } from '../comparison/canonical-key.js';
import type { Instant } from '../time/instant.js';
import { findReviewReason, isFromEarlierYear } from './review-rules.js';
import { bounceRule, outOfOfficeRule, replyRule } from './rules/replies.js';
import { budgetRule } from './rules/budget.js';
import { contactRule } from './rules/contact.js';
import { departureRule } from './rules/departure.js';
import { knownNamesRule } from './rules/known-name-mentions.js';
import { roleRule, roleTranslationsRule } from './rules/role.js';
import { stageRule } from './rules/stage.js';
import { companyFactsRule } from './rules/company-facts.js';
import { commitmentRule } from './rules/commitments.js';
import { extractSignature } from './signature.js';
import { type Sentence, splitSentences } from './sentences.js';

const CUE =
  /\b(?:go(?:ing)?[ -]live|be live|launch|roll(?:ing)?[ -]?out|implement|kick[ -]?off|get started|start using|decide|decision|purchase|buy|sign|renewal|renew|contract (?:ends|expires|runs out)|timeline|deadline|target date|in place|up and running)\b/i;
const MAX_CUE_DISTANCE = 60;

/** Finds planned dates: a date shortly after a word for deciding, buying or going live. */
export const timelineRule: ExtractionRule = {
  id: 'timeline',
  find(sentence, { at }): Match[] {
    const cue = CUE.exec(sentence);
    const from = cue ? cue.index + cue[0].length : 0;
    const date = cue && findDate(sentence, at, from);
    if (!date || date.start - from > MAX_CUE_DISTANCE) return [];
    const isPast = date.day < toUtcDay(at);
    const value = date.day;
    return [
      {
        property: 'timeline',
        value,
        start: cue.index,
        end: date.end,
        future: true,
        ...(isPast && { reviewReason: 'past' }),
      },
    ];
  },
};

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
