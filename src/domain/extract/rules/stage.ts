import type { ExtractionContext, Match, ExtractionRule } from '../extraction.js';
import { checkNamedSubject, namesOverlap } from '../review-rules.js';

const STAGE_WORDS =
  'prospecting|qualification|discovery|demo|evaluation|evaluating|proposal|negotiation|customer|closed[ _-]won|closed[ _-]lost';

/** Phrases that state a stage, in the past or present tense; plans do not match. */
const STAGE_PHRASES: readonly (readonly [stage: string, phrase: RegExp])[] = [
  [
    'closed_won',
    /\b(?:counter)?signed (?:the|our|a|an|their) (?:(?!non|nda)[\w-]+ )?(?:contract|agreement|order form|msa|deal)\b/i,
  ],
  [
    'closed_won',
    /\b(?:contract|agreement|order form|msa) (?:is|was|has been|got|came back) (?:now )?(?:counter)?signed\b/i,
  ],
  [
    'closed_won',
    /\bclosed[ -]won\b|\bbecame a (?:paying |new )?customer\b|\b(?:is|are|'re) now a (?:paying )?customer\b|\bwon the deal\b/i,
  ],
  ['closed_lost', /\bclosed[ -]lost\b|\b(?:lost the deal|deal (?:is|was) (?:lost|dead|off))\b/i],
  ['closed_lost', /\b(?:went with|chose|picked|signed with) (?:a |another )(?:competitor|vendor|provider)\b/i],
  [
    'proposal',
    /\b(?:sent|shared|delivered|emailed|e-mailed|presented)(?: over)?(?: (?:them|him|her|\p{Lu}\p{L}+))? (?:the|a|an|our|my) (?:[\w-]+ )?(?:proposal|quote|offer)\b/iu,
  ],
  [
    'negotiation',
    /\b(?:in|into|entered|started|began) (?:contract |final |price )?negotiations?\b|\bnegotiating (?:the )?(?:contract|terms|price|pricing|msa)\b/i,
  ],
  ['meeting_booked', /\b(?:booked|scheduled|confirmed|set up) (?:a|an|the|our) (?:[\w-]+ )?(?:demo|meeting|call)\b/i],
  [
    'evaluating',
    /\b(?:started|began|kicked off|running|are in|is in) (?:a|an|the|their|our) (?:[\w-]+ )?(?:pilot|trial|poc|proof of concept|evaluation)\b/i,
  ],
  [
    'churned',
    /\b(?:has |have |they |just )?churned\b|\bcancel(?:l)?ed (?:their|the|its|his|her|our) (?:subscription|contract|account|plan)\b/i,
  ],
  ['disqualified', /\bdisqualified\b/i],
];
/** The other party of a signature: a name or a generic word. */
const COUNTERPARTY =
  /^\s+with\s+(?:(?:a|an|another|the|their|some)\s+)?(?:other\s+)?(?<party>competitors?|rivals?|vendors?|suppliers?|agency|somebody|someone|\p{Lu}[\p{L}\p{N}&.'-]*)/u;
/** Who got a proposal. */
const RECIPIENT = /^\w+(?: over)? (?<who>\p{Lu}\p{L}+) /u;
const MOVED = new RegExp(
  `\\b(?:moved|advanced|progressed|pushed|went)(?: [\\w-]+){0,2} (?:in)?to (?:the )?(?<to>${STAGE_WORDS})\\b|\\bstage(?: is)?(?: now)?\\s*(?:[:=]\\s*)?(?<is>${STAGE_WORDS})\\b`,
  'i',
);

/** Finds the stage of a deal. The newest of a text counts. */
export const stageRule: ExtractionRule = {
  id: 'stage',
  find(sentence, context) {
    const moved = MOVED.exec(sentence);
    if (moved) return [toStageMatch(moved, canonicalStage(moved.groups!['to'] ?? moved.groups!['is']!))];
    return STAGE_PHRASES.flatMap(([value, phrase]) => {
      const match = phrase.exec(sentence);
      return match
        ? [{ ...toStageMatch(match, value), reviewReason: checkCounterparty(match, sentence, context) }]
        : [];
    });
  },
};

/** A contract signed with a competitor is not won. Without known companies, every name may be the contact's. */
function checkCounterparty(
  match: RegExpExecArray,
  sentence: string,
  context: ExtractionContext,
): Match['reviewReason'] {
  const recipient = RECIPIENT.exec(match[0])?.groups!['who'];
  const own = [...context.companies, ...context.names];
  if (recipient !== undefined && own.length > 0 && !namesOverlap(recipient, own)) return 'somebody_else';
  const party = COUNTERPARTY.exec(sentence.slice(match.index + match[0].length))?.groups!['party'];
  if (party === undefined) return checkNamedSubject(sentence, context);
  const isName = /^\p{Lu}/u.test(party) && !namesOverlap(party, context.competitors);
  const isOwn = context.companies.length === 0 || namesOverlap(party, [...context.companies, ...context.names]);
  return isName && isOwn ? undefined : 'other_company';
}

function toStageMatch(match: RegExpExecArray, value: string): Match {
  return { property: 'stage', value, start: match.index, end: match.index + match[0].length };
}

function canonicalStage(word: string): string {
  const plain = word.toLowerCase().replaceAll(/[ -]/g, '_');
  return plain === 'evaluation' ? 'evaluating' : plain;
}
