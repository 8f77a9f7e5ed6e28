/** Longest pattern of a rule, and the longest text that it is tried on; longer texts are cut. */
export const MAX_PATTERN = 200;
export const MAX_TEXT = 200;

/** Quantifiers without an upper end that a pattern may have: more could take too long on one text. */
const MAX_OPEN_ENDED = 2;

/** A pattern that is safe to try, or what is wrong with it. */
export type ReadPattern =
  | { readonly ok: true; readonly pattern: RegExp }
  | { readonly ok: false; readonly problem: string };

const ESCAPED = /\\./g;
const CLASSES = /\[[^\]]*\]/g;

/**
 * Reads a regular expression (any case) that takes time in proportion to a small power of the text: groups may not be
 * repeated, nothing looks around or back, and at most two quantifiers are open-ended.
 */
export function readPattern(text: string): ReadPattern {
  if (text === '' || text.length > MAX_PATTERN) return refused(`must have 1 to ${MAX_PATTERN} characters`);
  const bare = text.replace(ESCAPED, 'x').replace(CLASSES, 'x');
  if (/\\[1-9]|\\k/.test(text)) return refused('must not refer back to a group');
  if (/\(\?(?!:)/.test(bare)) return refused('must not look around or name groups');
  if (/\)[*+?{]/.test(bare)) return refused('must not repeat a group; write out the alternatives');
  if (/\{\d+(?:,\d*)?\}/.test(bare)) return refused('must not count repetitions');
  if ((bare.match(/[*+]/g) ?? []).length > MAX_OPEN_ENDED) {
    return refused(`must have at most ${MAX_OPEN_ENDED} of * and +`);
  }
  try {
    return { ok: true, pattern: new RegExp(text, 'iu') };
  } catch {
    return refused('is no regular expression');
  }
}

const known = new Map<string, RegExp | undefined>();

/** The pattern of a rule that was checked; compiled once, as far as a small memory goes. */
export function patternOf(text: string): RegExp | undefined {
  if (known.has(text)) return known.get(text);
  if (known.size >= 500) known.clear();
  const read = readPattern(text);
  const pattern = read.ok ? read.pattern : undefined;
  known.set(text, pattern);
  return pattern;
}

function refused(problem: string): ReadPattern {
  return { ok: false, problem };
}
