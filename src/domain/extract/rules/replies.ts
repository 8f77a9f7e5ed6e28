import type { ReadingContext } from '../extraction.js';
import type { Found, Rule } from '../found.js';

const OUT =
  /\bunsubscribe (?:me|us)\b|^\W*(?:please |pls )?unsubscribe\W*$|\b(?:remove|take|delete) (?:me|us|my (?:name|e-?mail|address|details)) (?:from|off)\b|\bopt (?:me|us) out\b|\b(?:stop|quit) (?:e-?mailing|contacting|messaging|calling|writing)\b|\b(?:do not|don't|never) (?:contact|e-?mail|message|call|write(?: to)?) (?:me|us)\b|^\W*(?:(?:please|pls|kindly|just) )*(?:remove|unsubscribe) (?:me|us)(?:,? (?:please|thanks|now))?\W*$|\basked (?:us )?(?:to be removed|to be unsubscribed|to unsubscribe|not to be contacted|us to stop)\b/i;
const FOOTER = /\bclick\b|\blink\b|\bto unsubscribe\b(?!d)|\bunsubscribe (?:here|at any time|from this)\b|https?:/i;
const NO =
  /\b(?:not|no longer|isn't|aren't) (?:really |currently |that |at all |particularly )?interested\b|\bno interest\b|\bthanks,? but no\b|\bno,? thanks\b|\b(?:we'll|we will|i'll|i will) pass\b|\bnot (?:for us|a fit for us|the right fit)\b/i;
const LATER =
  /\bnot (?:right )?now\b(?=\W|$)|\bnot (?:a|the) (?:good|right|best) (?:time|moment)\b|\b(?:bad|wrong|poor) timing\b|\b(?:check|circle|reach|get|come|touch|try)(?: back| out| base)(?: again)?(?: (?:with|to) (?:me|us))?,? (?:in|next|after|later|around)\b|\btry (?:me |us )?again (?:in|next|after|later|around)\b|\brevisit (?:this |it )?(?:in|next|later)\b|\bno (?:bandwidth|capacity) (?:right now|at the moment|this (?:year|quarter|month))\b/i;
const YES =
  /\b(?:i'm|i am|we're|we are|they're|they are|he's|she's|he is|she is|is|are|am|was|were) (?:very |really |definitely |quite |certainly |still |also |super )*interested\b|\b(?:i'd|we'd|i would|we would|he'd|she'd|they'd) (?:love|like) to (?:learn|hear|see|know|talk|chat)\b|\b(?:i'm |we're )?(?:happy|glad|keen) to (?:chat|talk|meet|hear|discuss)\b|\blet's (?:talk|chat|meet|schedule|book|set up)\b|\b(?:tell me more|send (?:me|us)(?: over)? (?:some |more )?(?:info|information|details|pricing))\b|^\W*(?:that |this )?sounds (?:good|great|interesting)\b|^\W*(?:yes,? )?(?:very |definitely )?interested\W*$/i;
const OURSELVES = /\b(?:i'm|i am|i'd|i would|we're|we are|we'd|we would|let's|me|us)\b/i;

/** What a reply wants: to hear more, not now, not at all, or nothing ever again. */
export const replies: Rule = {
  id: 'reply',
  find(sentence, context) {
    const out = FOOTER.test(sentence) ? null : OUT.exec(sentence);
    if (out)
      return [
        {
          ...spanOf(out),
          kind: 'event',
          property: 'interaction.unsubscribed',
          value: {},
          asks: true,
          denies: true,
          says: true,
        },
      ];
    const [no, later] = [NO.exec(sentence), LATER.exec(sentence)];
    // "Not interested?" is what is asked, and no answer.
    if (no) return [{ ...intent('not_interested', no), asks: false }];
    if (later) return [intent('not_now', later)];
    const yes = YES.exec(sentence);
    return yes ? [{ ...intent('interested', yes), denies: false, ...doubtOf(yes[0], context) }] : [];
  },
};

function intent(value: string, match: RegExpExecArray): Found {
  return { ...spanOf(match), property: 'intent', value, asks: true, denies: true, says: true, plans: true };
}

/** `I am interested` in a note of our own is about ourselves. */
function doubtOf(said: string, { isAuthor }: ReadingContext): Partial<Found> {
  return !isAuthor && OURSELVES.test(said) ? { doubt: 'first_person' } : {};
}

function spanOf(match: RegExpExecArray) {
  return { start: match.index, end: match.index + match[0].length };
}
