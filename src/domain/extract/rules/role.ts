import type { ReviewReason, ExtractionContext, Match, ExtractionRule } from '../extraction.js';
import { checkSubject, SUBJECT_PATTERN } from '../review-rules.js';
import { MODAL_VERBS, classifyModal } from './modal-verbs.js';
import { parseCompany, type JobRole, parseRole } from './job-titles.js';

const HAS = String.raw`(?:\s+(?:has|have)|'s|'ve)?`;
const JUST = String.raw`(?:\s+(?:just|recently|now|already|officially))?`;
const REST = String.raw`\s+(?<rest>\S.*)`;
const BEGIN = String.raw`(?<![\p{L}\p{N}'-])`;

const patterns = [
  new RegExp(
    `${BEGIN}${SUBJECT_PATTERN}(?:\\s+(?:is|am|are)|'s|'m)\\s+(?<how>now|currently|the new|our new|their new)${REST}`,
    'u',
  ),
  new RegExp(`${BEGIN}${SUBJECT_PATTERN}(?:\\s+(?:is|am)|'s|'m)(?<both>)${REST}`, 'u'),
  new RegExp(
    `(?:${BEGIN}${SUBJECT_PATTERN}(?:\\s+(?:is|was|got|were|am)|${HAS}\\s+(?:been|gotten)|'s|'m)|^(?:[Jj]ust )?(?:[Gg]ot |[Ww]as )?)${JUST}\\s*[Pp]romoted\\s+to${REST}`,
    'u',
  ),
  new RegExp(
    `(?:${BEGIN}${SUBJECT_PATTERN}${HAS}${JUST}\\s+|^(?:Just |Recently )?)(?:[Ss]tarted|[Tt]aken over|[Tt]ook over|[Ss]tepped up)\\s+as${REST}`,
    'u',
  ),
  new RegExp(`^\\W*(?:[Tt]itle|[Rr]ole|[Pp]osition|[Jj]ob title|[Nn]ew role)\\s*:${REST}`, 'u'),
] as const;
const JOINED = new RegExp(
  `(?:${BEGIN}${SUBJECT_PATTERN}(?<has>${HAS})(?<just>${JUST})\\s+|^(?:Just |Recently )?)[Jj]oined${REST}`,
  'u',
);

/** Job statements that are negated, hedged, asked or past; they need review. */
const hedgedPatterns: readonly (readonly [pattern: RegExp, reviewReason?: ReviewReason])[] = [
  [
    new RegExp(
      `${BEGIN}${SUBJECT_PATTERN}\\s+${MODAL_VERBS}\\s+(?:promoted to|(?:started|taken over|stepped up) as)${REST}`,
      'u',
    ),
  ],
  [
    new RegExp(
      `${BEGIN}${SUBJECT_PATTERN}\\s+${MODAL_VERBS}\\s+join(?:ed)?(?:\\s+(?<firm>\\p{Lu}[^,;]*?)(?<!\\s))?\\s+as${REST}`,
      'u',
    ),
  ],
  [
    new RegExp(
      `${BEGIN}${SUBJECT_PATTERN}\\s+(?<aux>(?:might|may|could|would|should|will)(?: not)?)(?: soon)? (?:be|become)${REST}`,
      'u',
    ),
  ],
  [
    new RegExp(`${BEGIN}${SUBJECT_PATTERN}(?:\\s+(?:is|am|are) not|\\s+(?:is|are)n't)(?: (?:now|yet))?${REST}`, 'u'),
    'negated',
  ],
  [new RegExp(`${BEGIN}${SUBJECT_PATTERN} (?:used to be|had been)${REST}`, 'u'), 'past'],
  [new RegExp(`^\\W*(?:Is|Are) ${SUBJECT_PATTERN}(?: (?:now|currently|still|already))?${REST}\\?`, 'u'), 'question'],
];

/** Finds jobs: `X is now TITLE at COMPANY`, `joined COMPANY as TITLE`, `was promoted to TITLE`. */
export const roleRule: ExtractionRule = {
  id: 'role',
  appliesTo: 'person',
  find(sentence, context) {
    const stated = [...findStated(sentence, context), ...findJoined(sentence, context)];
    return stated.length > 0 ? stated : findHedged(sentence, context);
  },
};

function findHedged(sentence: string, context: ExtractionContext): Match[] {
  for (const [pattern, own] of hedgedPatterns) {
    const match = pattern.exec(sentence);
    const found = match && parseRole(match.groups!['rest']!);
    const reviewReason = own ?? (match && classifyModal(match.groups!['aux']!));
    if (!found || !reviewReason) continue;
    const company = found.company ?? parseCompany(match.groups!['firm'] ?? '')?.name;
    const whole = { ...found, ...(company !== undefined && { company }) };
    return toMatches(sentence, match, whole, context).map(find => ({
      ...find,
      reviewReason: find.reviewReason ?? reviewReason,
    }));
  }
  return [];
}

function findStated(sentence: string, context: ExtractionContext): Match[] {
  for (const pattern of patterns) {
    const match = pattern.exec(sentence);
    const found = match && parseRole(match.groups!['rest']!);
    if (!found || (match.groups!['both'] !== undefined && !(found.title && found.company))) continue;
    return toMatches(sentence, match, found, context);
  }
  return [];
}

function findJoined(sentence: string, context: ExtractionContext): Match[] {
  const match = JOINED.exec(sentence);
  if (!match) return [];
  const { rest = '', has, just } = match.groups!;
  const asAlone = /^as\s+/.exec(rest);
  if (asAlone) {
    const found = parseRole(rest.slice(asAlone[0].length));
    return found ? toMatches(sentence, match, extendBy(found, asAlone[0].length), context) : [];
  }
  const company = parseCompany(rest);
  if (!company) return [];
  const as = /^\s+as\s+/.exec(rest.slice(company.length));
  const title = as && parseRole(rest.slice(company.length + as[0].length));
  if (title) {
    const whole = { ...title, company: company.name, length: title.length + company.length + as[0].length };
    return toMatches(sentence, match, whole, context);
  }
  return has || just ? toMatches(sentence, match, { company: company.name, length: company.length }, context) : [];
}

function extendBy(found: JobRole, by: number): JobRole {
  return { ...found, length: found.length + by };
}

function toMatches(sentence: string, match: RegExpExecArray, found: JobRole, context: ExtractionContext): Match[] {
  const { who, rest = '' } = match.groups!;
  const start = match.index + (match[0].length - match[0].trimStart().length);
  const span = { start, end: sentence.indexOf(rest, match.index) + found.length };
  const isOurs = match.groups!['how'] === 'our new' && !context.isAuthor;
  const reviewReason = isOurs ? 'first_person' : checkSubject(who, context);
  return (['title', 'company'] as const).flatMap(property => {
    const value = found[property];
    return value === undefined ? [] : [{ property, value, ...span, reviewReason }];
  });
}
