import { findFunctions, findRank } from '../../comparison/titles.js';
import type { ExtractionContext, ExtractionRule, Match, ReviewReason } from '../extraction.js';
import { checkSubject, namesOverlap, SUBJECT_PATTERN } from '../review-rules.js';
import { parseCompany, type JobRole, parseRole } from './job-titles.js';
import { MODAL_VERBS, classifyModal } from './modal-verbs.js';

const NAME = String.raw`(?<![\p{L}\p{N}'-])(?<who>[Ss]ie|[Ee]r|[Ee]lle|[Ii]l|[Éé]l|[Ee]lla|[Ii]ch|[Jj]e|\p{Lu}(?<!\p{Lu}[\p{L}'-]*?\p{Lu})[\p{L}'-]*(?: \p{Lu}[\p{L}.'-]*){0,3})`;
const PRONOUN = /^(?:sie|er|elle|il|él|ella)$/i;
const FIRST_PERSON = /^(?:ich|je)$/i;

/** Jobs in German, French and Spanish; what follows is `TITLE (bei|chez|en COMPANY)`. */
const roles = [
  String.raw`${NAME}\s+(?:ist|bin)\s+(?:(?:jetzt|nun|seit kurzem|ab sofort|aktuell)(?:\s+(?:die|der)(?:\s+neuer?)?|\s+neue[rn]?)?|neue[rn]?|die neue|der neue|unsere neue|unser neuer)\s+(?<rest>\S.*)`,
  String.raw`${NAME}\s+(?:est|suis)\s+(?:maintenant|désormais|actuellement|(?:la|le)\s+nouve(?:au|lle))(?:\s+(?:la|le))?\s+(?<rest>\S.*)`,
  String.raw`${NAME}\s+es\s+(?:ahora|actualmente|(?:la\s+|el\s+)?nuev[oa])(?:\s+(?:la|el)(?:\s+nuev[oa])?)?\s+(?<rest>\S.*)`,
].map(pattern => new RegExp(pattern, 'u'));
const EMPLOYER = /\s(?:bei|chez|en|at)\s(?=\p{Lu})/u;
const TITLE_END = /[,.;:!?()]|\s(?:seit|und|depuis|et|desde|y)\s/u;

const departures = [
  String.raw`${NAME}\s+(?:hat|habe)\s+(?<company>\p{Lu}[^,.;:]{0,60}?)\s+(?:(?:im|am|zum|seit)\s[^,.;:]{1,30}\s)?verlassen(?![\p{L}]|\s+(?:haben|würde))`,
  String.raw`${NAME}\s+(?:arbeitet|ist|arbeite|bin)\s+nicht mehr\s+(?:bei|für)\s+(?<company>\p{Lu}[^,.;:]{0,60})`,
  String.raw`${NAME}\s+(?:a|ai)\s+quitté\s+(?<company>\p{Lu}[^,.;:]{0,60})`,
  String.raw`${NAME}\s+(?:ne travaille plus|n'est plus)\s+(?:chez|pour)\s+(?<company>\p{Lu}[^,.;:]{0,60})`,
  String.raw`${NAME}\s+(?:dejó|ha dejado)\s+(?<company>\p{Lu}[^,.;:]{0,60})`,
  String.raw`${NAME}\s+ya no\s+(?:trabaja|está)\s+en\s+(?<company>\p{Lu}[^,.;:]{0,60})`,
].map(pattern => new RegExp(pattern, 'u'));

/** All patterns of this rule, so that their cost can be measured. */
export const ROLE_TRANSLATION_PATTERNS: readonly RegExp[] = [...roles, ...departures];

/** Finds jobs that began or ended in German, French and Spanish. */
export const roleTranslationsRule: ExtractionRule = {
  id: 'role_translated',
  appliesTo: 'person',
  find: (sentence, context) => [...findRole(sentence, context), ...findDeparture(sentence, context)],
};

function findRole(sentence: string, context: ExtractionContext): Match[] {
  for (const pattern of roles) {
    const match = pattern.exec(sentence);
    if (!match) continue;
    const { who, rest = '' } = match.groups!;
    const at = EMPLOYER.exec(rest);
    const until = Math.min(at?.index ?? rest.length, TITLE_END.exec(rest)?.index ?? rest.length);
    const title = rest.slice(0, until).trim();
    if (title.length > 60 || (findRank(title) === 'individual' && findFunctions(title).size === 0)) continue;
    const company = at && at.index === until ? parseCompany(rest.slice(until + at[0].length)) : undefined;
    const length = company && at ? until + at[0].length + company.length : title.length;
    const end = match.index + match[0].length - rest.length + length;
    const span = { start: match.index, end, reviewReason: checkWho(who, context) };
    const job = { property: 'title', value: title, ...span };
    return company ? [job, { property: 'company', value: company.name, ...span }] : [job];
  }
  return [];
}

function findDeparture(sentence: string, context: ExtractionContext): Match[] {
  for (const pattern of departures) {
    const match = pattern.exec(sentence);
    const company = match && parseCompany(match.groups!['company']!);
    if (!match || !company) continue;
    const isOther = context.companies.length > 0 && !namesOverlap(company.name, context.companies);
    const reviewReason = checkWho(match.groups!['who'], context) ?? (isOther ? 'other_company' : undefined);
    const span = { start: match.index, end: match.index + match[0].length, negated: true, reviewReason };
    return ['company', 'title'].map(property => ({ property, value: null, ...span }));
  }
  return [];
}

function checkWho(who: string | undefined, context: ExtractionContext): Match['reviewReason'] {
  if (who === undefined || PRONOUN.test(who)) return undefined;
  if (FIRST_PERSON.test(who)) return context.isAuthor ? undefined : 'first_person';
  return checkSubject(who, context);
}

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
