import { findFunctions, findRank } from '#domain/comparison/titles.js';
import type { ExtractionContext, ExtractionRule, Match } from '../extraction.js';
import { checkSubject, namesOverlap } from '../review-rules.js';
import { parseCompany } from './job-titles.js';

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
