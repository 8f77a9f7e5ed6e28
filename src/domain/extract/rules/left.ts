import type { Doubt, ReadingContext } from '../extraction.js';
import type { Found, Rule } from '../found.js';
import { doubtAboutWhom, sharesWord, WHO } from '../whom.js';
import { AUXILIARIES, doubtOfAuxiliaries } from './auxiliaries.js';
import { companyAt, roleAt } from './titles.js';

const REST = String.raw`\s+(?<rest>\S.*)`;
const HAS = String.raw`(?:\s+(?:has|have)|'s|'ve)?(?:\s+(?:just|recently|already|now))?`;
const FIRM = /^(?:the|our|their) (?:company|firm|business|organi[sz]ation)\b/i;
const POST = /^(?:his|her|their|my|the) (?:role|position|post|job)\b(?: as [^,.;]+)?/i;
const AWAY =
  /\bfor (?:a|the|his|her|an|\d+) (?:few |long )?(?:days?|weeks?|hours?|holidays?|trip|while|meeting|weekend|lunch)\b/i;

const departures = [
  new RegExp(`(?:${WHO}${HAS}\\s+|^)(?:[Ll]eft|[Dd]eparted(?: from)?|[Qq]uit|[Rr]esigned from)${REST}`, 'u'),
  new RegExp(
    `(?:${WHO}(?:\\s+(?:is|am|are)|'s|'m)\\s+|^)[Nn]o longer\\s+(?:working\\s+|employed\\s+)?(?:at|with|for|by|part of)${REST}`,
    'u',
  ),
  new RegExp(`(?:${WHO}\\s+|^)[Nn]o longer works?\\s+(?:at|for|with)${REST}`, 'u'),
];
/** Taken back by the words before the verb: for people to look at. */
const doubtful = new RegExp(`${WHO}\\s+${AUXILIARIES}\\s+(?:left|leave|quit|departed|resign(?:ed)? from)${REST}`, 'u');
const RESIGNED = new RegExp(`(?:${WHO}(?:\\s+(?:is|am)|'s|'m)\\s+|^)[Nn]o longer${REST}`, 'u');

/** `left COMPANY`, `no longer at COMPANY`: the job has ended. */
export const left: Rule = {
  id: 'left',
  of: 'person',
  find(sentence, context) {
    for (const pattern of departures) {
      const match = pattern.exec(sentence);
      const found = match && ended(sentence, match, context);
      if (found) return found;
    }
    const taken = doubtful.exec(sentence);
    const doubt = taken && doubtOfAuxiliaries(taken.groups!['aux']!);
    if (doubt) return ended(sentence, taken, context)?.map(find => ({ ...find, doubt: find.doubt ?? doubt })) ?? [];
    const match = RESIGNED.exec(sentence);
    const title = match && roleAt(match.groups!['rest']!);
    return title
      ? findsOf(sentence, match, title.length, ['title'], doubtAboutWhom(match.groups!['who'], context))
      : [];
  },
};

function ended(sentence: string, match: RegExpExecArray, context: ReadingContext): Found[] | undefined {
  const { who, rest = '' } = match.groups!;
  const doubt = doubtAboutWhom(who, context);
  const post = POST.exec(rest);
  if (post) return findsOf(sentence, match, post[0].length, ['title'], doubt);
  const firm = FIRM.exec(rest);
  if (firm) return findsOf(sentence, match, firm[0].length, ['company', 'title'], doubt);
  const company = companyAt(rest);
  if (!company || AWAY.test(rest)) return undefined;
  const other = context.companies.length > 0 && !sharesWord(company.name, context.companies);
  return findsOf(sentence, match, company.length, ['company', 'title'], doubt ?? (other ? 'other_company' : undefined));
}

function findsOf(
  sentence: string,
  match: RegExpExecArray,
  length: number,
  properties: readonly string[],
  doubt: Doubt | undefined,
): Found[] {
  const end = sentence.indexOf(match.groups!['rest']!, match.index) + length;
  return properties.map(property => ({ property, value: null, start: match.index, end, denies: true, doubt }));
}
