import { buildPhraseTable, foldLetters, matchPhrase, type PhraseTable, toWords } from './canonical-key.js';
import {
  ASSISTANT_WORDS,
  COMPOUND_ENDINGS,
  EMPLOYER_PREPOSITIONS,
  FUNCTION_WORDS,
  MODIFIER_WORDS,
  NOT_HELD_WORDS,
  OTHER_PERSON_WORDS,
  OWNED_TASKS,
  RANK_WORDS,
  TITLE_NOISE,
  WHOLE_TITLES,
} from './titles.data.js';

/** Ranks from the highest to the lowest. */
export const TITLE_RANKS = [
  'founder',
  'c_level',
  'vp',
  'head',
  'director',
  'manager',
  'advisor',
  'individual',
  'junior',
  'intern',
] as const;

/** One of {@link TITLE_RANKS}. */
export type Rank = (typeof TITLE_RANKS)[number];

/** One role that a title names. */
export interface TitleRole {
  readonly rank: Rank;
  /** `senior`, `deputy`, `acting`. */
  readonly modifiers: ReadonlySet<string>;
  /** Functions such as `sales`; keys of the table of functions. */
  readonly functions: ReadonlySet<string>;
  /** Other words that say something, such as a region. */
  readonly words: ReadonlySet<string>;
  /** Whether the person holds the role: false for `former`, `ex` and `aspiring`. */
  readonly isHeld: boolean;
}

/** Maximum number of characters of a title that are read. */
const MAX_TITLE_LENGTH = 200;

const prefixed = (kind: string, lines: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(lines).map(([name, words]) => [`${kind} ${name}`, words]));

/** All phrases by `kind name`. A phrase of a later line replaces the same phrase of an earlier one. */
const grammar: PhraseTable<string> = buildPhraseTable({
  ...prefixed('function', FUNCTION_WORDS),
  ...prefixed('modifier', MODIFIER_WORDS),
  ...prefixed('rank', RANK_WORDS),
  ...prefixed('whole', WHOLE_TITLES),
  'not-held': NOT_HELD_WORDS,
  assistant: ASSISTANT_WORDS,
  other: OTHER_PERSON_WORDS,
});
const noise: ReadonlySet<string> = new Set(toWords(TITLE_NOISE));
const ownedTasks: ReadonlySet<string> = new Set(toWords(OWNED_TASKS));

/** Between roles that stand on their own; `former` reaches as far. */
const STRONG_SEPARATOR = /[,;|()•·\n]| [-–—] /;
const WEAK_SEPARATOR = / (?:and|und|et|y|och|og) |[/&]| \+ /;
const GENDER_SUFFIX = /(?<=\p{L})(?:[:*/_]in(?:nen)?\b|·e\b|\(e\))/gu;
const EMPLOYER = new RegExp(String.raw`(?:^|\s)(?:@\s*|(?:${EMPLOYER_PREPOSITIONS.join('|')})\s+)`, 'u');

/** Parses the roles that a title names, in eight languages. The name of the employer behind `at` is left out. */
export function parseTitle(title: string): TitleRole[] {
  const text = foldLetters(title.slice(0, MAX_TITLE_LENGTH))
    .replace(GENDER_SUFFIX, '')
    .replaceAll(/['’.]/g, mark => (mark === '.' ? '' : ' '));
  const roles: TitleRole[] = [];
  for (const strong of text.split(STRONG_SEPARATOR)) {
    let isHeld = true;
    for (const part of cutEmployer(strong).split(WEAK_SEPARATOR)) {
      const role = parseRole(toWords(part), isHeld);
      if (!role) continue;
      isHeld = role.isHeld;
      roles.push(role);
    }
  }
  return roles;
}

/** Returns the highest rank that the person holds; `individual` if the title names none. */
export function findRank(title: string): Rank {
  const held = parseTitle(title).flatMap(({ rank, isHeld }) => (isHeld ? [rank] : []));
  const named = held.filter(rank => rank !== 'individual');
  return TITLE_RANKS.find(rank => (named.length > 0 ? named : held).includes(rank)) ?? 'individual';
}

/** Returns the functions of the roles that the person holds; not those of a person they assist. */
export function findFunctions(title: string): Set<string> {
  return new Set(parseTitle(title).flatMap(({ functions, isHeld }) => (isHeld ? [...functions] : [])));
}

/**
 * Returns whether a held role of a title is what `wanted` names: its rank, its functions and its other words. `CFO`
 * names `Finanzvorstand`, and neither `former CFO` nor `assistant to the CFO`; `sales` names `Vertriebsleiter`.
 */
export function isTitleNamed(title: string, wanted: string): boolean {
  const [need] = parseTitle(wanted);
  const held = parseTitle(title).filter(({ isHeld }) => isHeld);
  if (!need || held.length === 0) return false;
  return [...held, joinRoles(held)].some(role => isRoleNamed(role, need, wanted));
}

function isRoleNamed(role: TitleRole, need: TitleRole, wanted: string): boolean {
  const hasAll = (all: ReadonlySet<string>, some: ReadonlySet<string>) => [...some].every(each => all.has(each));
  const isRankNamed = need.rank !== 'individual' || isWholeTitle(wanted);
  return (
    (!isRankNamed || role.rank === need.rank) &&
    hasAll(role.functions, need.functions) &&
    hasAll(role.modifiers, need.modifiers) &&
    hasAll(role.words, need.words)
  );
}

/** Returns whether a text is a title that stands for itself, such as `account executive`. */
function isWholeTitle(text: string): boolean {
  return grammar.phrases.get(toWords(text).join(' '))?.startsWith('whole ') ?? false;
}

/** `VP Sales & Marketing` holds both functions by the higher rank. */
function joinRoles(roles: readonly TitleRole[]): TitleRole {
  const join = (setOf: (role: TitleRole) => ReadonlySet<string>) => new Set(roles.flatMap(role => [...setOf(role)]));
  return {
    rank: TITLE_RANKS.find(rank => roles.some(role => role.rank === rank))!,
    modifiers: join(({ modifiers }) => modifiers),
    functions: join(({ functions }) => functions),
    words: join(({ words }) => words),
    isHeld: true,
  };
}

/** Returns a text without the name of the employer: `VP Sales at Acme`, `CTO @acme`. */
function cutEmployer(text: string): string {
  const employer = EMPLOYER.exec(text);
  return employer && employer.index > 0 ? text.slice(0, employer.index) : text;
}

interface RoleParts {
  readonly ranks: Rank[];
  readonly modifiers: Set<string>;
  readonly functions: Set<string>;
  readonly words: Set<string>;
  isHeld: boolean;
}

function parseRole(words: readonly string[], isHeldBefore: boolean): TitleRole | undefined {
  const parts: RoleParts = {
    ranks: [],
    modifiers: new Set(),
    functions: new Set(),
    words: new Set(),
    isHeld: isHeldBefore,
  };
  for (let i = 0; i < words.length;) {
    const match = matchPhrase(grammar, words, i);
    const step = readPhrase(parts, words, i, match?.concept, match?.length ?? 1);
    if (step === 'end') break;
    i += step;
  }
  const { ranks, modifiers, functions, words: others, isHeld } = parts;
  if (ranks.length + modifiers.size + functions.size + others.size === 0) return undefined;
  return { rank: decideRank(ranks), modifiers, functions, words: others, isHeld };
}

/** Adds what a phrase says to a role. Returns the number of words read, or `end` if somebody else's title follows. */
function readPhrase(
  parts: RoleParts,
  words: readonly string[],
  at: number,
  concept: string | undefined,
  length: number,
): number | 'end' {
  const word = words[at]!;
  const [kind, name = '', alsoNamed = ''] = concept?.split(' ') ?? [];
  const next = words[at + length];
  switch (kind) {
    case 'whole':
      parts.ranks.push(name as Rank);
      parts.functions.add(alsoNamed);
      return length;
    case 'rank':
      readRank(parts, words, at, name as Rank, next);
      return length;
    case 'modifier':
      parts.modifiers.add(name);
      return length;
    case 'function':
      parts.functions.add(name);
      return length;
    case 'not-held':
      return readNotHeld(parts, words, at + length, word) + length;
    case 'assistant':
      parts.ranks.push('junior');
      return 'end';
    case 'other':
      if (name === '' && word.startsWith('advis')) parts.ranks.push('advisor');
      return 'end';
    default:
      readWord(parts, word, at, next);
      return 1;
  }
}

function readRank(parts: RoleParts, words: readonly string[], at: number, rank: Rank, next: string | undefined): void {
  const word = words[at]!;
  if (word.startsWith('owner') && at > 0 && ownedTasks.has(words[at - 1]!)) parts.words.add(word);
  else if (word === 'partner' && next !== undefined && !noise.has(next)) parts.functions.add('partnerships');
  else if (rank === 'junior' && next !== undefined && isRankWord(words, at + 1)) parts.modifiers.add('deputy');
  else parts.ranks.push(rank);
}

/** Returns whether a rank below those of assistants follows, as in `assistant manager`. */
function isRankWord(words: readonly string[], at: number): boolean {
  const [kind, name = ''] = matchPhrase(grammar, words, at)?.concept.split(' ') ?? [];
  return kind === 'rank' && ['vp', 'head', 'director', 'manager'].includes(name);
}

/** `ex-Google` is a previous employer; before a title, `ex` says that it is not held. Returns further words read. */
function readNotHeld(parts: RoleParts, words: readonly string[], next: number, word: string): number {
  const isEmployer =
    word === 'ex' && next < words.length && !matchPhrase(grammar, words, next) && !findCompound(words[next]!);
  if (isEmployer) return 1;
  parts.isHeld = false;
  return 0;
}

function readWord(parts: RoleParts, word: string, at: number, next: string | undefined): void {
  const compound = findCompound(word);
  if (compound) {
    parts.ranks.push(compound.rank);
    if (compound.function !== undefined) parts.functions.add(compound.function);
  } else if (word === 'lead' && at === 0 && next !== undefined) parts.modifiers.add('senior');
  else if (word === 'lead') parts.ranks.push('manager');
  else if (['svp', 'evp', 'avp', 'rvp'].includes(word)) {
    parts.ranks.push('vp');
    if (word !== 'rvp') parts.modifiers.add(word === 'avp' ? 'deputy' : 'senior');
  } else if (!noise.has(word)) parts.words.add(word);
}

/** Splits a compound such as `vertriebsleiter` into function and rank. The first part must be a known function. */
function findCompound(word: string): { readonly rank: Rank; readonly function?: string } | undefined {
  for (const [ending, rank] of COMPOUND_ENDINGS) {
    if (!word.endsWith(ending) || word.length < ending.length + 2) continue;
    const stem = word.slice(0, -ending.length);
    const concept = [stem, stem.replace(/s$/, '')].map(each => grammar.phrases.get(each)).find(Boolean);
    if (concept?.startsWith('function ')) return { rank: rank as Rank, function: concept.slice('function '.length) };
  }
  return undefined;
}

/** An assistant or intern is one whatever else the title names; otherwise the highest rank counts. */
function decideRank(ranks: readonly Rank[]): Rank {
  if (ranks.includes('intern')) return 'intern';
  if (ranks.includes('junior')) return 'junior';
  if (ranks.includes('advisor')) return 'advisor';
  return TITLE_RANKS.find(rank => ranks.includes(rank)) ?? 'individual';
}

/**
 * Returns the comparison key of a title: ranks with modifiers, functions and other words, each sorted. Undefined if the
 * title names nothing that can be compared.
 */
export function titleKey(title: string): string | undefined {
  const roles = parseTitle(title);
  if (roles.length === 0) return undefined;
  const ranks = roles
    .map(role => rankText(role))
    .filter((rank, _, all) => rank !== 'individual' || all.every(each => each === 'individual'));
  const join = (words: Iterable<string>) => [...new Set(words)].sort().join(' ');
  const words = roles.flatMap(role => [...role.words]);
  return `title:${join(ranks)}|${join(roles.flatMap(role => [...role.functions]))}|${join(words)}`;
}

function rankText({ rank, modifiers, isHeld }: TitleRole): string {
  const text = [rank, ...[...modifiers].sort()].join('+');
  return isHeld ? text : `former:${text}`;
}
