const VOWEL = /[aeiouy]/;

/** Cache of stems: a language has few words, and they repeat. Memoises a pure function, bounded. */
const stems = new Map<string, string>();
const MAX_CACHED_STEMS = 20_000;

/** Irregular forms. */
const irregular = new Map(
  Object.entries({
    bought: 'buy',
    sold: 'sell',
    paid: 'pay',
    met: 'meet',
    left: 'leave',
    spoke: 'speak',
    spoken: 'speak',
    went: 'go',
    gone: 'go',
    told: 'tell',
    said: 'say',
    sent: 'send',
    spent: 'spend',
    built: 'build',
    won: 'win',
    lost: 'lose',
    chose: 'choose',
    chosen: 'choose',
    brought: 'bring',
    grew: 'grow',
    grown: 'grow',
    fell: 'fall',
    rose: 'rise',
    took: 'take',
    taken: 'take',
    gave: 'give',
    given: 'give',
    kept: 'keep',
    held: 'hold',
    felt: 'feel',
    found: 'find',
    made: 'make',
    came: 'come',
    wrote: 'write',
    written: 'write',
    began: 'begin',
    used: 'use',
    using: 'use',
    payment: 'pay',
    payments: 'pay',
    people: 'person',
    men: 'man',
    women: 'woman',
    children: 'child',
  }),
);

/** Derivational suffixes, with the minimum length of the rest for the rule to be safe. */
const endings: readonly (readonly [ending: string, least: number])[] = [
  ['ation', 4],
  ['ment', 4],
  ['ness', 5],
  ['ate', 4],
  ['al', 5],
];

/**
 * Stems an English word lightly: plurals, -ed and -ing, a few suffixes, irregular verbs of sales language. Equal stems
 * mostly mean equal words; a stem need not be a word (`pricing` and `price` are `pric`). Words with digits and words of
 * three letters are returned unchanged. Snowball's English stemmer does not fit here: it keeps forms apart that mean the
 * same in sales notes, such as agree and agreement, month and monthly, decide and decision.
 */
export function stem(word: string): string {
  let found = stems.get(word);
  if (found === undefined) {
    if (stems.size >= MAX_CACHED_STEMS) stems.clear();
    stems.set(word, (found = computeStem(word)));
  }
  return found;
}

function computeStem(word: string): string {
  const base = irregular.get(word) ?? word;
  if (base.length <= 3 || !/^[a-z]+$/.test(base)) return base;
  return normalizeEnding(removeSuffix(removeTense(singular(base))));
}

function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh|zz)es$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) && !word.endsWith('is') ? word.slice(0, -1) : word;
}

function removeTense(word: string): string {
  if (word.endsWith('ied') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (word.endsWith('eed'))
    return /[aeiouy][^aeiouy]+eed$/.test(word) && !word.endsWith('ceed') ? word.slice(0, -1) : word;
  const rest = /^(.+)(?:ing|ed)$/.exec(word)?.[1];
  if (rest === undefined || rest.length < 3 || !VOWEL.test(rest)) return word;
  return /[^eo]at$/.test(rest) && rest.length > 5 ? `${rest}e` : rest;
}

function removeSuffix(word: string): string {
  if (word.endsWith('ly') && word.length > 5) return removeSuffix(word.slice(0, -2));
  const found = endings.find(([ending, least]) => word.endsWith(ending) && word.length - ending.length >= least);
  if (found) return word.slice(0, -found[0].length);
  return /[st]ion$/.test(word) && word.length >= 7 ? word.slice(0, -3) : word;
}

/** Removes what regular forms differ by at the end: a mute e, a doubled consonant, y or i. */
function normalizeEnding(word: string): string {
  const mute = word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word;
  const single = mute.length > 3 && /([^aeiou])\1$/.test(mute) ? mute.slice(0, -1) : mute;
  return single.length > 3 && single.endsWith('y') ? `${single.slice(0, -1)}i` : single;
}
