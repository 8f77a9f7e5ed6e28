import type { ReviewReason } from './extraction.js';
import type { Instant } from '#domain/time/instant.js';
import type { Match } from './extraction-rule.js';

const NEGATION =
  /\b(?:not|no|never|nobody|none|neither|nor|nothing|without|hardly|cannot|denie[sd]|deny|doubts?|refuse[sd]?|untrue|false|wrong|fails? to|failed to)\b|n't\b/i;
const HEDGE =
  /\b(?:might|could|maybe|perhaps|possibly|probably|likely|apparently|allegedly|reportedly|supposedly|rumou?r\w*|heard|seems?|seemed|guess|unsure|uncertain|hopefully|hop(?:e|es|ed|ing)|would|should|suppose|assum\w+|presumably|suspects?|wonder\w*|as if|pretend\w*|imagin\w+|according to|i think|we think|thinks|almost|nearly|claim(?:s|ed) (?:that|to|he|she|they|it)|(?:they|people|some) say|word (?:is|has it))\b/i;
/** The month is capitalised. */
const MAY = /\bmay\b(?! \d)/;
const CONDITION = /\b(?:if|unless|whether|once|until|till|as soon as|provided|in case|assuming|before|when)\b/i;
const PLAN =
  /\b(?:consider\w*|thinking (?:of|about)|plan(?:s|ned|ning)?(?: on| to)?|will|'ll|going to|gonna|wants? to|wanted to|hopes to|intends? to|about to|looking to|aim(?:s|ing)? to|expects? to|due to)\b/i;
const PAST =
  /\b(?:used to|formerly|previously|former|back then|at (?:the|that) time|in the past|years? ago|earlier in (?:his|her|their) career|historically|originally|until recently|had been|ex-)\b/i;

const YEAR = /\b(?:[Ii]n|[Dd]uring|of) (?:(?:early|late|mid|\p{Lu}\p{L}+)[ -])?(?<year>(?:19|20)\d\d)\b/gu;

/** Returns whether a sentence is about a year that was over when it was written, so that the fact may have ended. */
export function isFromEarlierYear(sentence: string, { start, end, future, past }: Match, at: Instant): boolean {
  if (future || past) return false;
  const around = `${sentence.slice(0, start)} … ${sentence.slice(end)}`;
  const now = new Date(at / 1000).getUTCFullYear();
  return [...around.matchAll(YEAR)].some(({ groups }) => Number(groups!['year']) < now);
}

/**
 * Returns why a find needs review because of its sentence. Words of the find itself are hidden from the checks they
 * would wrongly trigger: `no longer at Acme` denies nothing.
 */
export function findReviewReason(sentence: string, found: Match): ReviewReason | undefined {
  const before = sentence.slice(0, found.start);
  const within = sentence.slice(found.start, found.end);
  const around = `${before} … ${sentence.slice(found.end)}`;
  if (NEGATION.test(found.negated ? before : before + within)) return 'negated';
  if (/\bor not\b|\?\s*no\b|,\s*(?:or )?(?:not (?:true|yet)|just kidding)\b/i.test(sentence)) return 'negated';
  if (!found.question && /\?["')\]]*$/.test(sentence)) return 'question';
  const heard = found.modal ? around : sentence;
  if (HEDGE.test(heard) || MAY.test(heard) || CONDITION.test(before)) return 'hedged';
  if (!found.future && PLAN.test(before + (found.modal ? '' : within))) return 'hedged';
  if (!found.past && PAST.test(around)) return 'past';
  return undefined;
}
