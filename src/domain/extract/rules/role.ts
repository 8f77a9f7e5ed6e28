import type { Doubt, ReadingContext } from '../extraction.js';
import type { Found, Rule } from '../found.js';
import { doubtAboutWhom, WHO } from '../whom.js';
import { AUXILIARIES, doubtOfAuxiliaries } from './auxiliaries.js';
import { companyAt, type Role, roleAt } from './titles.js';

const HAS = String.raw`(?:\s+(?:has|have)|'s|'ve)?`;
const JUST = String.raw`(?:\s+(?:just|recently|now|already|officially))?`;
const REST = String.raw`\s+(?<rest>\S.*)`;
const BEGIN = String.raw`(?<![\p{L}\p{N}'-])`;

const patterns = [
  new RegExp(
    `${BEGIN}${WHO}(?:\\s+(?:is|am|are)|'s|'m)\\s+(?<how>now|currently|the new|our new|their new)${REST}`,
    'u',
  ),
  new RegExp(`${BEGIN}${WHO}(?:\\s+(?:is|am)|'s|'m)(?<both>)${REST}`, 'u'),
  new RegExp(
    `(?:${BEGIN}${WHO}(?:\\s+(?:is|was|got|were|am)|${HAS}\\s+(?:been|gotten)|'s|'m)|^(?:[Jj]ust )?(?:[Gg]ot |[Ww]as )?)${JUST}\\s*[Pp]romoted\\s+to${REST}`,
    'u',
  ),
  new RegExp(
    `(?:${BEGIN}${WHO}${HAS}${JUST}\\s+|^(?:Just |Recently )?)(?:[Ss]tarted|[Tt]aken over|[Tt]ook over|[Ss]tepped up)\\s+as${REST}`,
    'u',
  ),
  new RegExp(`^\\W*(?:[Tt]itle|[Rr]ole|[Pp]osition|[Jj]ob title|[Nn]ew role)\\s*:${REST}`, 'u'),
] as const;
const JOINED = new RegExp(
  `(?:${BEGIN}${WHO}(?<has>${HAS})(?<just>${JUST})\\s+|^(?:Just |Recently )?)[Jj]oined${REST}`,
  'u',
);

/** The same, taken back by the words around the verb, asked, or of the past: for people to look at. */
const doubtful: readonly (readonly [pattern: RegExp, doubt?: Doubt])[] = [
  [new RegExp(`${BEGIN}${WHO}\\s+${AUXILIARIES}\\s+(?:promoted to|(?:started|taken over|stepped up) as)${REST}`, 'u')],
  [
    new RegExp(
      `${BEGIN}${WHO}\\s+${AUXILIARIES}\\s+join(?:ed)?(?:\\s+(?<firm>\\p{Lu}[^,;]*?)(?<!\\s))?\\s+as${REST}`,
      'u',
    ),
  ],
  [
    new RegExp(
      `${BEGIN}${WHO}\\s+(?<aux>(?:might|may|could|would|should|will)(?: not)?)(?: soon)? (?:be|become)${REST}`,
      'u',
    ),
  ],
  [new RegExp(`${BEGIN}${WHO}(?:\\s+(?:is|am|are) not|\\s+(?:is|are)n't)(?: (?:now|yet))?${REST}`, 'u'), 'negated'],
  [new RegExp(`${BEGIN}${WHO} (?:used to be|had been)${REST}`, 'u'), 'past'],
  [new RegExp(`^\\W*(?:Is|Are) ${WHO}(?: (?:now|currently|still|already))?${REST}\\?`, 'u'), 'question'],
];

/** `X is now TITLE at COMPANY`, `joined COMPANY as TITLE`, `was promoted to TITLE`. */
export const role: Rule = {
  id: 'role',
  of: 'person',
  find(sentence, context) {
    const said = [...stated(sentence, context), ...joined(sentence, context)];
    return said.length > 0 ? said : doubted(sentence, context);
  },
};

function doubted(sentence: string, context: ReadingContext): Found[] {
  for (const [pattern, own] of doubtful) {
    const match = pattern.exec(sentence);
    const found = match && roleAt(match.groups!['rest']!);
    const doubt = own ?? (match && doubtOfAuxiliaries(match.groups!['aux']!));
    if (!found || !doubt) continue;
    const company = found.company ?? companyAt(match.groups!['firm'] ?? '')?.name;
    const whole = { ...found, ...(company !== undefined && { company }) };
    return findsOf(sentence, match, whole, context).map(find => ({ ...find, doubt: find.doubt ?? doubt }));
  }
  return [];
}

function stated(sentence: string, context: ReadingContext): Found[] {
  for (const pattern of patterns) {
    const match = pattern.exec(sentence);
    const found = match && roleAt(match.groups!['rest']!);
    if (!found || (match.groups!['both'] !== undefined && !(found.title && found.company))) continue;
    return findsOf(sentence, match, found, context);
  }
  return [];
}

function joined(sentence: string, context: ReadingContext): Found[] {
  const match = JOINED.exec(sentence);
  if (!match) return [];
  const { rest = '', has, just } = match.groups!;
  const asAlone = /^as\s+/.exec(rest);
  if (asAlone) {
    const found = roleAt(rest.slice(asAlone[0].length));
    return found ? findsOf(sentence, match, longer(found, asAlone[0].length), context) : [];
  }
  const company = companyAt(rest);
  if (!company) return [];
  const as = /^\s+as\s+/.exec(rest.slice(company.length));
  const title = as && roleAt(rest.slice(company.length + as[0].length));
  if (title) {
    const whole = { ...title, company: company.name, length: title.length + company.length + as[0].length };
    return findsOf(sentence, match, whole, context);
  }
  return has || just ? findsOf(sentence, match, { company: company.name, length: company.length }, context) : [];
}

function longer(found: Role, by: number): Role {
  return { ...found, length: found.length + by };
}

function findsOf(sentence: string, match: RegExpExecArray, found: Role, context: ReadingContext): Found[] {
  const { who, rest = '' } = match.groups!;
  const start = match.index + (match[0].length - match[0].trimStart().length);
  const span = { start, end: sentence.indexOf(rest, match.index) + found.length };
  const doubt = doubtAboutWhom(who, context);
  return (['title', 'company'] as const).flatMap(property => {
    const value = found[property];
    return value === undefined ? [] : [{ property, value, ...span, doubt }];
  });
}
