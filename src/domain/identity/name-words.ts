import { normalizeWord, splitWords } from '#domain/text/words.js';
import { NICKNAMES } from './nicknames.data.js';
import { nameKey } from './names.js';

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
