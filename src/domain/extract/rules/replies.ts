import type { ExtractionContext } from '../extraction.js';
import type { Match, ExtractionRule } from '../extraction-rule.js';

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
        },
      ];
    const [no, later] = [NOT_INTERESTED.exec(sentence), NOT_NOW.exec(sentence)];
    // "Not interested?" is a question, not a reply.
    if (no) return [{ ...toIntentMatch('not_interested', no), question: false }];
    if (later) return [toIntentMatch('not_now', later)];
    const yes = INTERESTED.exec(sentence);
    return yes ? [{ ...toIntentMatch('interested', yes), negated: false, ...checkFirstPerson(yes[0], context) }] : [];
  },
};

function toIntentMatch(value: string, match: RegExpExecArray): Match {
  return { ...toSpan(match), property: 'intent', value, question: true, negated: true, modal: true, future: true };
}

/** `I am interested` in our own note is about ourselves. */
function checkFirstPerson(text: string, { isAuthor }: ExtractionContext): Partial<Match> {
  return !isAuthor && FIRST_PERSON.test(text) ? { doubt: 'first_person' } : {};
}

function toSpan(match: RegExpExecArray) {
  return { start: match.index, end: match.index + match[0].length };
}
