import type { Rule } from '../found.js';
import { dayIn } from './dates.js';

const CODE = /(?<![\d.])(?:(?<smtp>[45]\d\d)[ -]+#?)?(?<code>[45]\.\d{1,3}\.\d{1,3})(?![\d.])/;
const MAIL_WORDS =
  /\b(?:smtp|deliver\w*|undeliver\w*|mailbox|recipient|address|user unknown|bounced?|rejected|diagnostic|dsn|status|quota|host|does not exist|no such user|remote server)\b/i;
const SAID =
  /\b(?:delivery status notification \(failure\)|undeliver(?:able|ed)(?: mail|:)|mail delivery failed|address not found|user unknown|no such user|recipient address rejected|mailbox (?:unavailable|not found|does not exist|full))(?!\w)/i;

/** What a mail server says: a delivery that failed, by its enhanced code (4.x.x means: try again). */
export const bounce: Rule = {
  id: 'bounce',
  find(sentence) {
    const match = MAIL_WORDS.test(sentence) ? CODE.exec(sentence) : null;
    const said = match ?? SAID.exec(sentence);
    if (!said) return [];
    const code = match?.groups!['code'];
    const isSoft = code?.startsWith('4') ?? /mailbox full/i.test(said[0]);
    const value = { ...(code && { code }), bounce_type: isSoft ? 'soft' : 'hard' };
    const span = { start: said.index, end: said.index + said[0].length };
    return [{ ...span, kind: 'event', property: 'interaction.email_bounced', value, denies: true, says: true }];
  },
};

const AWAY =
  /\b(?:(?:i am|i'm|currently|will be) )?(?:out of (?:the )?office|on (?:annual |parental |maternity |paternity |sick )?(?:leave|vacation|holidays?|pto))\b/i;
const WAS = /\b(?:was|were|been|had)\s+(?:\w+\s+)?$/i;
const BACK =
  /\b(?:until|till|back(?: in the office| at work)?(?: on| from)?|return(?:ing)?(?: to (?:the office|work))?(?: on)?|through|to)\b/i;

/** An automatic reply of somebody who is away, with the day of their return where it is told. */
export const outOfOffice: Rule = {
  id: 'out_of_office',
  find(sentence, { at }) {
    const match = AWAY.exec(sentence);
    if (!match) return [];
    const rest = match.index + match[0].length;
    const back = BACK.exec(sentence.slice(rest));
    const date = back ? dayIn(sentence, at, rest + back.index + back[0].length) : undefined;
    const value = { ...(date && { return_date: date.day }) };
    const span = { start: match.index, end: date?.end ?? rest };
    const doubt = WAS.test(sentence.slice(0, match.index)) ? 'past' : undefined;
    return [{ ...span, kind: 'event', property: 'interaction.out_of_office', value, plans: true, says: true, doubt }];
  },
};
