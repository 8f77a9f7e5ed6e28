import { toWords } from '../comparison/canonical-key.js';
import { findRank, parseTitle, type Rank } from '../comparison/titles.js';

/** Share in a purchase decision by rank, 0..1. */
const SHARES: Readonly<Record<string, number>> = {
  founder: 1,
  c_level: 1,
  vp: 1,
  head: 0.85,
  director: 0.8,
  manager: 0.5,
  senior: 0.3,
  individual: 0.2,
  junior: 0.1,
};

/** Maximum number of cached titles: the same few occur again and again in a list. */
const MAX_CACHED_TITLES = 2000;
const MAX_CACHED_LENGTH = 100;

const wordCache = new Map<string, string>();

/**
 * Returns the rank of a title: founder, c_level, vp, head, director, manager, senior, junior, individual. A title that
 * is not held (`former`, `ex`) and the title of an assisted person do not count.
 */
export function parseSeniority(title: string): string {
  if (title.length > MAX_CACHED_LENGTH) return toSeniorityWord(title);
  let word = wordCache.get(title);
  if (word === undefined) {
    if (wordCache.size >= MAX_CACHED_TITLES) wordCache.clear();
    wordCache.set(title, (word = toSeniorityWord(title)));
  }
  return word;
}

/** Returns the rank of a seniority (`C-Level`, `c_level`, `VP`), which may also be given as a title (`CFO`). */
export function toSeniorityRank(text: string): string {
  const word = toWords(text.slice(0, MAX_CACHED_LENGTH)).join('_');
  if (Object.hasOwn(SHARES, word)) return word;
  return word === 'c_suite' || word === 'cxo' ? 'c_level' : parseSeniority(text);
}

/** Returns the share in a purchase decision of a rank (a word of {@link parseSeniority}) or a title, 0..1. */
export function seniorityWeight(text: string): number {
  return SHARES[toSeniorityRank(text)]!;
}

const WORDS: Partial<Record<Rank, string>> = { intern: 'junior', advisor: 'individual' };

function toSeniorityWord(title: string): string {
  const rank = findRank(title);
  if (rank !== 'individual') return WORDS[rank] ?? rank;
  const isSenior = parseTitle(title).some(({ isHeld, modifiers }) => isHeld && modifiers.has('senior'));
  return isSenior ? 'senior' : 'individual';
}
