import type { ReviewReason, ExtractionContext, Match, ExtractionRule } from '../extraction.js';
import { checkSubject, namesOverlap, SUBJECT_PATTERN } from '../review-rules.js';
import { MODAL_VERBS, classifyModal } from './modal-verbs.js';
import { parseCompany, parseRole } from './job-titles.js';

const REST = String.raw`\s+(?<rest>\S.*)`;
const HAS = String.raw`(?:\s+(?:has|have)|'s|'ve)?(?:\s+(?:just|recently|already|now))?`;
const FIRM = /^(?:the|our|their) (?:company|firm|business|organi[sz]ation)\b/i;
const POST = /^(?:his|her|their|my|the) (?:role|position|post|job)\b(?: as [^,.;]+)?/i;
const AWAY =
  /\bfor (?:a|the|his|her|an|\d+) (?:few |long )?(?:days?|weeks?|hours?|holidays?|trip|while|meeting|weekend|lunch)\b/i;

const departures = [
  new RegExp(
    `(?:${SUBJECT_PATTERN}${HAS}\\s+|^)(?:[Ll]eft|[Dd]eparted(?: from)?|[Qq]uit|[Rr]esigned from)${REST}`,
    'u',
  ),
  new RegExp(
    `(?:${SUBJECT_PATTERN}(?:\\s+(?:is|am|are)|'s|'m)\\s+|^)[Nn]o longer\\s+(?:working\\s+|employed\\s+)?(?:at|with|for|by|part of)${REST}`,
    'u',
  ),
  new RegExp(`(?:${SUBJECT_PATTERN}\\s+|^)[Nn]o longer works?\\s+(?:at|for|with)${REST}`, 'u'),
];
/** Departures that the words before the verb negate or hedge; they need review. */
const hedgedDeparture = new RegExp(
  `${SUBJECT_PATTERN}\\s+${MODAL_VERBS}\\s+(?:left|leave|quit|departed|resign(?:ed)? from)${REST}`,
  'u',
);
const RESIGNED = new RegExp(`(?:${SUBJECT_PATTERN}(?:\\s+(?:is|am)|'s|'m)\\s+|^)[Nn]o longer${REST}`, 'u');

/** Finds ended jobs: `left COMPANY`, `no longer at COMPANY`. */
export const departureRule: ExtractionRule = {
  id: 'left',
  appliesTo: 'person',
  find(sentence, context) {
    for (const pattern of departures) {
      const match = pattern.exec(sentence);
      const found = match && toEndedJob(sentence, match, context);
      if (found) return found;
    }
    const taken = hedgedDeparture.exec(sentence);
    const reviewReason = taken && classifyModal(taken.groups!['aux']!);
    if (reviewReason)
      return (
        toEndedJob(sentence, taken, context)?.map(find => ({
          ...find,
          reviewReason: find.reviewReason ?? reviewReason,
        })) ?? []
      );
    const match = RESIGNED.exec(sentence);
    const title = match && parseRole(match.groups!['rest']!);
    return title
      ? toMatches(sentence, match, title.length, ['title'], checkSubject(match.groups!['who'], context))
      : [];
  },
};

function toEndedJob(sentence: string, match: RegExpExecArray, context: ExtractionContext): Match[] | undefined {
  const { who, rest = '' } = match.groups!;
  const reviewReason = checkSubject(who, context);
  const post = POST.exec(rest);
  if (post) return toMatches(sentence, match, post[0].length, ['title'], reviewReason);
  const firm = FIRM.exec(rest);
  if (firm) return toMatches(sentence, match, firm[0].length, ['company', 'title'], reviewReason);
  const company = parseCompany(rest);
  if (!company || AWAY.test(rest)) return undefined;
  const other = context.companies.length > 0 && !namesOverlap(company.name, context.companies);
  return toMatches(
    sentence,
    match,
    company.length,
    ['company', 'title'],
    reviewReason ?? (other ? 'other_company' : undefined),
  );
}

function toMatches(
  sentence: string,
  match: RegExpExecArray,
  length: number,
  properties: readonly string[],
  reviewReason: ReviewReason | undefined,
): Match[] {
  const end = sentence.indexOf(match.groups!['rest']!, match.index) + length;
  return properties.map(property => ({
    property,
    value: null,
    start: match.index,
    end,
    negated: true,
    reviewReason,
  }));
}
