import { collapseWhitespace } from './web-address.js';
import { normalizeWord, splitWords } from '../text/words.js';
import { NICKNAMES } from './nicknames.data.js';
import { editDistance } from '../text/spelling.js';

/** Words by which a company names its legal form, folded and without dots. */
const LEGAL_FORMS: ReadonlySet<string> = new Set(
  [
    'ab ag aps as asa bhd bv bvba corp corporation co company cia doo eg eirl ek eurl gbr gesmbh gmbh gmbhcokg',
    'holding holdings inc incorporated kft kg kgaa kk limited llc llp lp ltd ltda mbh nv ohg oy oyj pbc plc pte pty',
    'pvt sa sab sp sapi sarl sas sasu sca scs sdn se sl slu snc sociedad spa spol spzoo srl sro ug ulc zoo zrt',
  ].flatMap(line => line.split(' ')),
);

/** Returns whether a folded word names a legal form, such as `gmbh` or `inc`. */
export function isLegalForm(word: string): boolean {
  return LEGAL_FORMS.has(word);
}

/** Returns the words of a name without those of a legal form; all of them if nothing else is left. */
export function withoutLegalForms(words: readonly string[]): readonly string[] {
  const rest = words.filter(word => !isLegalForm(word));
  return rest.length === 0 ? words : rest;
}

// "m." needs its dot: a bare "m" is more often an initial than a Monsieur.
const HONORIFIC = /^(?:(?:mr|mrs|ms|miss|dr|prof|sir|herr|frau|mme|sra?)\.?|m\.)\s+(?=\S)/;

/**
 * Returns the key by which names are compared: NFKC, case folded, white space collapsed, without leading honorifics
 * (also several: "Prof. Dr."). A name that is only an honorific keeps it.
 */
export function nameKey(text: string): string {
  let key = collapseWhitespace(foldCase(text));
  while (HONORIFIC.test(key)) key = key.replace(HONORIFIC, '');
  return key;
}

/** Joins first and last name, with white space normalised; undefined if both are missing or blank. */
export function composeName(first?: string | null, last?: string | null): string | undefined {
  return collapseWhitespace(`${first ?? ''} ${last ?? ''}`) || undefined;
}

/** Folds case by way of upper case, which also turns "ß" into "ss"; both Greek sigmas become one. */
function foldCase(text: string): string {
  const once = text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  return once.normalize('NFKC');
}

/** Maximum number of words of a name that are indexed, and of a query that are looked up. */
export const MAX_NAME_WORDS = 12;

const APOSTROPHES = /['’‘`´]/g;
/** Two vowels that stand for an umlaut or a ring where a keyboard has none, and the vowel that the folded letter is. */
const DIGRAPH = /([aou])e|aa/g;

/**
 * Returns the words of a name in order, folded: lower case, without accents, apostrophes and honorifics. Initials that
 * follow each other are one word (`J. P. Morgan`: `jp`, `morgan`).
 */
export function splitName(name: string): string[] {
  const words = splitWords(nameKey(name).replace(APOSTROPHES, '')).map(({ text }) => text);
  const joined: string[] = [];
  let isInitial = false;
  for (const word of words) {
    if (word.length === 1 && isInitial) joined[joined.length - 1] += word;
    else joined.push(word);
    isInitial = word.length === 1;
  }
  return joined;
}

/** Returns the form of a folded word that is indexed: `mueller` and `muller` are the same. */
export function toIndexedWord(word: string): string {
  return word.replace(DIGRAPH, pair => pair[0]!);
}

/** Returns the distinct words under which a name is indexed, at most twelve. */
export function listIndexedWords(name: string): string[] {
  return [...new Set(splitName(name).slice(0, MAX_NAME_WORDS).map(toIndexedWord))];
}

/** Returns the other forms of a given name by word: short forms of it, names it is short for, and their short forms. */
const relatedNames: ReadonlyMap<string, ReadonlySet<string>> = buildRelatedNames();

function buildRelatedNames(): Map<string, Set<string>> {
  const related = new Map<string, Set<string>>();
  for (const entry of NICKNAMES) {
    const group = entry.split(' ').map(normalizeWord);
    for (const name of group) {
      const others = related.get(name) ?? new Set();
      for (const other of group) if (other !== name) others.add(other);
      related.set(name, others);
    }
  }
  return related;
}

/** Returns the forms that people use for the same given name as this folded word, without the word itself. */
export function listNicknames(word: string): readonly string[] {
  return [...(relatedNames.get(word) ?? [])];
}

/** Returns whether two folded words are forms of the same given name. */
export function areNicknames(one: string, other: string): boolean {
  return relatedNames.get(one)?.has(other) ?? false;
}

/** Shorter words are too similar to each other for one edit to be a typing error. */
const MIN_TYPO_LENGTH = 3;

/** A statement about an entity, as far as it may be its name. */
interface NameStatement {
  readonly property: string;
  readonly value: unknown;
}

/**
 * Returns whether two names may belong to one entity: some word of one is, up to one edit, a word of the other, a
 * nickname or an initial of it. A name without words fits every other one.
 */
export function areNamesCompatible(one: string, other: string): boolean {
  const [words, others] = [withoutLegalForms(splitName(one)), withoutLegalForms(splitName(other))];
  if (words.length === 0 || others.length === 0) return true;
  return words.some(word => others.some(candidate => isSameWord(word, candidate)));
}

/** Returns whether all names of one side fit all names of the other; true if one side has none. */
export function haveCompatibleNames(one: readonly string[], other: readonly string[]): boolean {
  return one.every(name => other.every(candidate => areNamesCompatible(name, candidate)));
}

/** Returns the name that statements give an entity; undefined if they give none. */
export function findStatedName(statements: readonly NameStatement[]): string | undefined {
  const text = (property: string) => {
    const value = statements.findLast(statement => statement.property === property)?.value;
    return typeof value === 'string' ? value : undefined;
  };
  return composeName(text('name')) ?? composeName(text('first_name'), text('last_name'));
}

function isSameWord(one: string, other: string): boolean {
  const [first, second] = [toIndexedWord(one), toIndexedWord(other)];
  if (first === second || areNicknames(one, other)) return true;
  const shorter = Math.min(first.length, second.length);
  if (shorter === 1) return first[0] === second[0];
  return shorter >= MIN_TYPO_LENGTH && Math.abs(first.length - second.length) <= 1 && editDistance(first, second) <= 1;
}
