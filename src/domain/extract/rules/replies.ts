import type { ExtractionRule, ExtractionContext, Match } from '../extraction.js';
import { isDeadAddress } from '../../claims/implied-statements.js';
import { findDate } from './dates.js';

const DSN_CODE = /(?<![\d.])(?:(?<smtp>[45]\d\d)[ -]+#?)?(?<code>[45]\.\d{1,3}\.\d{1,3})(?![\d.])/;
const MAIL_WORDS =
  /\b(?:smtp|deliver\w*|undeliver\w*|mailbox|recipient|address|user unknown|bounced?|rejected|diagnostic|dsn|status|quota|host|does not exist|no such user|remote server)\b/i;
const DSN_PHRASE =
  /\b(?:delivery status notification \(failure\)|undeliver(?:able|ed)(?: mail|:)|mail delivery failed|address not found|user unknown|no such user|recipient address rejected|mailbox (?:is )?(?:unavailable|not found|does not exist|full))(?!\w)/i;

/** Finds failed deliveries reported by mail servers; soft unless they say that the address is dead. */
export const bounceRule: ExtractionRule = {
  id: 'bounce',
  find(sentence) {
    const match = MAIL_WORDS.test(sentence) ? DSN_CODE.exec(sentence) : null;
    const notice = match ?? DSN_PHRASE.exec(sentence);
    if (!notice) return [];
    const code = match?.groups!['code'];
    const isSoft = !isDeadAddress(code ?? notice[0]);
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
    const reviewReason = PAST_TENSE.test(sentence.slice(0, match.index)) ? 'past' : undefined;
    return [
      { ...span, kind: 'event', property: 'interaction.out_of_office', value, future: true, modal: true, reviewReason },
    ];
  },
};

const OPT_OUT =
  /\bunsubscribe (?:me|us)\b|^\W*(?:please |pls )?unsubscribe\W*$|\b(?:remove|take|delete) (?:me|us|my (?:name|e-?mail|address|details)) (?:from|off)\b|\bopt (?:me|us) out\b|\b(?:stop|quit) (?:e-?mailing|contacting|messaging|calling|writing)\b|\b(?:do not|don't|never) (?:contact|e-?mail|message|call|write(?: to)?) (?:me|us)\b|^\W*(?:(?:please|pls|kindly|just) )*(?:remove|unsubscribe) (?:me|us)(?:,? (?:please|thanks|now))?\W*$|\basked (?:us )?(?:to be removed|to be unsubscribed|to unsubscribe|not to be contacted|us to stop)\b/i;
const FOOTER = /\bclick\b|\blink\b|\bto unsubscribe\b(?!d)|\bunsubscribe (?:here|at any time|from this)\b|https?:/i;
const NOT_INTERESTED =
  /\b(?:not|no longer|isn't|aren't) (?:really |currently |that |at all |particularly )?interested\b|\bno interest\b|\bthanks,? but no\b|\bno,? thanks\b|\b(?:we'll|we will|i'll|i will) pass\b|\bnot (?:for us|a fit for us|the right fit)\b/i;
const NOT_NOW =
  /\bnot (?:right )?now\b(?=\W|$)|\bnot (?:a|the) (?:good|right|best) (?:time|moment)\b|\b(?:bad|wrong|poor) timing\b|\b(?:check|circle|reach|get|come|touch|try)(?: back| out| base)(?: again)?(?: (?:with|to) (?:me|us))?,? (?:in|next|after|later|around)\b|\btry (?:me |us )?again (?:in|next|after|later|around)\b|\brevisit (?:this |it )?(?:in|next|later)\b|\bno (?:bandwidth|capacity) (?:right now|at the moment|this (?:year|quarter|month))\b/i;
const INTERESTED =
  /\b(?:i'm|i am|we're|we are|they're|they are|he's|she's|he is|she is|is|are|am|was|were) (?:very |really |definitely |quite |certainly |still |also |super )*interested\b|\b(?:i'd|we'd|i would|we would|he'd|she'd|they'd) (?:love|like) to (?:learn|hear|see|know|talk|chat)\b|\b(?:i'm |we're )?(?:happy|glad|keen) to (?:chat|talk|meet|hear|discuss)\b|\blet's (?:talk|chat|meet|schedule|book|set up)\b|\b(?:tell me more|send (?:me|us)(?: over)? (?:some |more )?(?:info|information|details|pricing))\b|^\W*(?:that |this )?sounds (?:good|great|interesting)\b|^\W*(?:yes,? )?(?:very |definitely )?interested\W*$/i;
const FIRST_PERSON = /\b(?:i'm|i am|i'd|i would|we're|we are|we'd|we would|let's|me|us)\b/i;

/** Classifies replies: interested, not now, not interested, or unsubscribe. */
export const replyRule: ExtractionRule = {
  id: 'reply',
  find(sentence, context) {
    const out = FOOTER.test(sentence) ? null : OPT_OUT.exec(sentence);
    if (out)
      return [
        {
          ...toSpan(out),
          kind: 'event',
          property: 'interaction.unsubscribed',
          value: {},
          question: true,
          negated: true,
          modal: true,
          ...(!isOwnRequest(sentence, out, context) && { reviewReason: 'suppression' as const }),
        },
      ];
    const [no, later] = [NOT_INTERESTED.exec(sentence), NOT_NOW.exec(sentence)];
    // "Not interested?" is a question, not a reply.
    if (no) return [{ ...toIntentMatch('not_interested', no), question: false, ...checkTopic(sentence, no) }];
    if (later) return [toIntentMatch('not_now', later)];
    const yes = INTERESTED.exec(sentence);
    return yes
      ? [
          {
            ...toIntentMatch('interested', yes),
            negated: false,
            ...checkTopic(sentence, yes),
            ...checkFirstPerson(yes[0], context),
          },
        ]
      : [];
  },
};

function toIntentMatch(value: string, match: RegExpExecArray): Match {
  return { ...toSpan(match), property: 'intent', value, question: true, negated: true, modal: true, future: true };
}

/** Words that may stand before a request. */
const POLITE_WORDS = new Set(
  "hi,hello,dear,hey,please,pls,kindly,just,can,could,would,will,you,to,i,i'd,we,want,like,ask,thanks,thank,no".split(
    ',',
  ),
);
const PLAIN_END =
  /^(?:\s+(?:from|off|me|us))?(?:\s+(?:your|the|this|these|all|any|such)\b[\w\s-]{0,60})?(?:[\s,]*(?:please|thanks|thank you|now|again|any ?more|ever|immediately|asap))*\W*$/i;

function isPolite(text: string): boolean {
  const spoken = text.toLowerCase().split(/[^\p{L}']/u);
  return spoken.every(word => word === '' || POLITE_WORDS.has(word));
}

/** Returns whether the contact wrote the request, and the sentence is nothing but the request. */
function isOwnRequest(sentence: string, found: RegExpExecArray, { isAuthor }: ExtractionContext): boolean {
  const end = found.index + found[0].length;
  return isAuthor && isPolite(sentence.slice(0, found.index)) && PLAIN_END.test(sentence.slice(end));
}

const OTHER_TOPIC =
  /^ in (?!(?:(?:your|this|that|these|it|the|our|us|what|a (?:demo|call|meeting|trial|quote)|working|buying|learning|talking|pursuing|continuing|moving|seeing|hearing|anything|pricing)\b))/i;

/** `not interested in football` says nothing about us. */
function checkTopic(sentence: string, found: RegExpExecArray): Partial<Match> {
  return OTHER_TOPIC.test(sentence.slice(found.index + found[0].length)) ? { reviewReason: 'unattributed' } : {};
}

/** `I am interested` in our own note is about ourselves. */
function checkFirstPerson(text: string, { isAuthor }: ExtractionContext): Partial<Match> {
  return !isAuthor && FIRST_PERSON.test(text) ? { reviewReason: 'first_person' } : {};
}

function toSpan(match: RegExpExecArray) {
  return { start: match.index, end: match.index + match[0].length };
}
