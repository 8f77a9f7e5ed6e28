import type { ExtractionRule } from '../extraction-rule.js';
import { findDate } from './dates.js';

const DSN_CODE = /(?<![\d.])(?:(?<smtp>[45]\d\d)[ -]+#?)?(?<code>[45]\.\d{1,3}\.\d{1,3})(?![\d.])/;
const MAIL_WORDS =
  /\b(?:smtp|deliver\w*|undeliver\w*|mailbox|recipient|address|user unknown|bounced?|rejected|diagnostic|dsn|status|quota|host|does not exist|no such user|remote server)\b/i;
const DSN_PHRASE =
  /\b(?:delivery status notification \(failure\)|undeliver(?:able|ed)(?: mail|:)|mail delivery failed|address not found|user unknown|no such user|recipient address rejected|mailbox (?:unavailable|not found|does not exist|full))(?!\w)/i;

/** Finds failed deliveries reported by mail servers, by their enhanced code (4.x.x: temporary). */
export const bounceRule: ExtractionRule = {
  id: 'bounce',
  find(sentence) {
    const match = MAIL_WORDS.test(sentence) ? DSN_CODE.exec(sentence) : null;
    const notice = match ?? DSN_PHRASE.exec(sentence);
    if (!notice) return [];
    const code = match?.groups!['code'];
    const isSoft = code?.startsWith('4') ?? /mailbox full/i.test(notice[0]);
    const value = { ...(code && { code }), bounce_type: isSoft ? 'soft' : 'hard' };
    const span = { start: notice.index, end: notice.index + notice[0].length };
    return [{ ...span, kind: 'event', property: 'interaction.email_bounced', value, negated: true, modal: true }];
  },
};

const AWAY =
  /\b(?:(?:i am|i'm|currently|will be) )?(?:out of (?:the )?office|on (?:annual |parental |maternity |paternity |sick )?(?:leave|vacation|holidays?|pto))\b/i;
const PAST_TENSE = /\b(?:was|were|been|had)\s+(?:\w+\s+)?$/i;
const RETURN_CUE =
  /\b(?:until|till|back(?: in the office| at work)?(?: on| from)?|return(?:ing)?(?: to (?:the office|work))?(?: on)?|through|to)\b/i;

/** Finds out-of-office replies, with the day of return if given. */
export const outOfOfficeRule: ExtractionRule = {
  id: 'out_of_office',
  find(sentence, { at }) {
    const match = AWAY.exec(sentence);
    if (!match) return [];
    const rest = match.index + match[0].length;
    const back = RETURN_CUE.exec(sentence.slice(rest));
    const date = back ? findDate(sentence, at, rest + back.index + back[0].length) : undefined;
    const value = { ...(date && { return_date: date.day }) };
    const span = { start: match.index, end: date?.end ?? rest };
    const doubt = PAST_TENSE.test(sentence.slice(0, match.index)) ? 'past' : undefined;
    return [{ ...span, kind: 'event', property: 'interaction.out_of_office', value, future: true, modal: true, doubt }];
  },
};
