import { parseFocus } from '../../identity/focus.js';
import type { ExtractionContext, Match, ExtractionRule } from '../extraction.js';
import { namesOverlap } from '../review-rules.js';

/** Matches e-mail addresses. */
export const EMAIL_PATTERN =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+/gu;
const PHONE_PATTERN = /(?<![\w.,/-])(?:\+|00)?\(?\d(?:[\d ().\-/]{5,18})\d(?![\w/-])/g;
/** Matches LinkedIn profiles of people. */
export const LINKEDIN_PROFILE_PATTERN = /(?:https?:\/\/)?(?:[a-z]{2,3}\.)?linkedin\.com\/in\/[^\s,;)>\]]+/gi;

const EMAIL_LABEL =
  /(?:\b(?:my|his|her|their|new|work|personal|private|business|direct)\s+e-?mail(?:\s+address)?(?::*\s+(?:is|now|at|changed to))*|^\W*e-?mail(?:\s+address)?\s*:|\b(?:reach|email|e-mail|contact|write to)\s+(?:me|him|her|them)\s+(?:at|on|under|via)|\b(?:is reachable|can be reached)\s+(?:at|under|via))[\s:<"']*$/i;
const PHONE_LABEL =
  /(?:\b(?:my|his|her|their|new|direct|mobile|cell|office|work)\s+(?:phone|mobile|cell|number|line|direct line|telephone|tel)(?:\s+number)?(?::*\s+(?:is|now))*|^\W*(?:phone|mobile|cell|tel|telephone|direct|t|m)\s*[.:]|\b(?:call|reach|ring|text|phone)\s+(?:me|him|her|them)\s+(?:at|on|under)|\bcan be reached\s+(?:at|on|under))[\s:]*$/i;
const PROFILE_LABEL =
  /(?:\b(?:my|his|her|their)\s+(?:linkedin(?:\s+profile)?|profile)(?::*\s+is)*|^\W*linkedin\s*:)[\s:<]*$/i;

/** A name in the genitive before a label: `Tom's new number`. */
const OWNER = /(?<who>\p{Lu}[\p{L}-]{0,40})'s\s{0,3}$/u;

/** Finds addresses, phone numbers and profiles whose owner the text names. */
export const contactRule: ExtractionRule = {
  id: 'contact',
  appliesTo: 'person',
  find: (sentence, context) => [
    ...findLabelled(sentence, EMAIL_PATTERN, EMAIL_LABEL, 'email', context, text => parseIdentifier(text, 'email')),
    ...findLabelled(sentence, LINKEDIN_PROFILE_PATTERN, PROFILE_LABEL, 'linkedin_url', context, text =>
      parseIdentifier(text, 'linkedin'),
    ),
    ...findLabelled(sentence, PHONE_PATTERN, PHONE_LABEL, 'phone', context, parsePhone),
  ],
};

function findLabelled(
  sentence: string,
  pattern: RegExp,
  label: RegExp,
  property: string,
  context: ExtractionContext,
  read: (text: string) => string | undefined,
): Match[] {
  return [...sentence.matchAll(pattern)].flatMap(({ 0: raw, index }) => {
    const text = raw.replace(/(?<![.,:;!?'"])[.,:;!?'"]+$/, '');
    const value = read(text);
    if (value === undefined) return [];
    const lead = label.exec(sentence.slice(0, index));
    if (!lead && property === 'phone') return [];
    const [start, end] = [lead?.index ?? index, index + text.length];
    const owner = OWNER.exec(sentence.slice(0, start))?.groups!['who'];
    const isOther = owner !== undefined && context.names.length > 0 && !namesOverlap(owner, context.names);
    const reviewReason = isOther ? 'somebody_else' : lead ? undefined : 'unattributed';
    return [{ property, value, start, end, reviewReason }];
  });
}

function parseIdentifier(text: string, form: 'email' | 'linkedin'): string | undefined {
  const focus = parseFocus(text);
  return focus.form === form ? text : undefined;
}

function parsePhone(text: string): string | undefined {
  const digits = text.replace(/\D/g, '');
  return digits.length >= 7 && digits.length <= 15 ? text.trim() : undefined;
}
