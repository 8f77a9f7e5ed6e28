import { canonKey } from '#domain/claims/canon.js';
import type { Instant } from '#domain/time/instant.js';
import type { Extraction, ReadingContext } from './extraction.js';
import type { Found, Rule } from './found.js';
import { doubtAbout, isOfAnEarlierYear } from './guards.js';
import { bounce, outOfOffice } from './rules/automatic.js';
import { budget } from './rules/budget.js';
import { contact } from './rules/contact.js';
import { left } from './rules/left.js';
import { names } from './rules/names.js';
import { replies } from './rules/replies.js';
import { role } from './rules/role.js';
import { stage } from './rules/stage.js';
import { timeline } from './rules/timeline.js';
import { type Sentence, sentencesOf } from './sentences.js';

const rules: readonly Rule[] = [contact, role, left, stage, budget, timeline, names, replies, bounce, outOfOffice];

/**
 * What English rules read in a text, in the order of the text, each with its quote. What has a `doubt` is for people
 * to look at. Rules would rather miss something than invent it. Total: never throws.
 */
export function extract(text: string, context: ReadingContext): Extraction[] {
  return dropRepeats(sentencesOf(text).flatMap(sentence => extractFromSentence(sentence, text, context)));
}

/** Returns what the rules read in one sentence of a text, repeats included. Total: never throws. */
export function extractFromSentence({ plain, start }: Sentence, text: string, context: ReadingContext): Extraction[] {
  return rules
    .filter(({ of = context.subject }) => of === context.subject)
    .flatMap(({ id, find }) =>
      find(plain, context).map(found => extractionOf(id, found, plain, start, text, context.at)),
    );
}

function extractionOf(
  rule: string,
  found: Found,
  plain: string,
  offset: number,
  text: string,
  at: Instant,
): Extraction {
  const [start, end] = [offset + found.start, offset + found.end];
  const quote = text.slice(start, end);
  const doubt = found.doubt ?? doubtAbout(plain, found) ?? (isOfAnEarlierYear(plain, found, at) ? 'past' : undefined);
  const kind = found.kind ?? 'state';
  return { kind, property: found.property, value: found.value, rule, start, end, quote, ...(doubt && { doubt }) };
}

/** Drops repeats: the same said twice is said once, and beyond doubt if one of the two is. In the order of the text. */
export function dropRepeats(read: readonly Extraction[]): Extraction[] {
  const kept = new Map<string, Extraction>();
  for (const each of read) {
    const key = `${each.property} ${canonKey(each.value)}`;
    const known = kept.get(key);
    if (!known || (known.doubt && !each.doubt)) kept.set(key, each);
  }
  return [...kept.values()].toSorted((a, b) => a.start - b.start);
}
