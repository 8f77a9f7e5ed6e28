/** Maximum length of a pattern, and of the text it is applied to; longer text is truncated. */
export const MAX_PATTERN_LENGTH = 200;
export const MAX_MATCHED_TEXT_LENGTH = 200;

/** Maximum number of unbounded quantifiers: more could take too long on one text. */
const MAX_OPEN_QUANTIFIERS = 2;

/** A safe pattern, or its problem. */
export type PatternResult =
  | { readonly ok: true; readonly pattern: RegExp }
  | { readonly ok: false; readonly problem: string };

const ESCAPED = /\\./g;
const CLASSES = /\[[^\]]*\]/g;

/**
 * Parses a case-insensitive regular expression whose run time is a small power of the length of the text: no repeated
 * groups, no lookaround or backreferences, and at most two unbounded quantifiers.
 */
export function parsePattern(text: string): PatternResult {
  if (text === '' || text.length > MAX_PATTERN_LENGTH)
    return rejectPattern(`must have 1 to ${MAX_PATTERN_LENGTH} characters`);
  const bare = text.replace(ESCAPED, 'x').replace(CLASSES, 'x');
  if (/\\[1-9]|\\k/.test(text)) return rejectPattern('must not refer back to a group');
  if (/\(\?(?!:)/.test(bare)) return rejectPattern('must not look around or name groups');
  if (/\)[*+?{]/.test(bare)) return rejectPattern('must not repeat a group; write out the alternatives');
  if (/\{\d+(?:,\d*)?\}/.test(bare)) return rejectPattern('must not count repetitions');
  if ((bare.match(/[*+]/g) ?? []).length > MAX_OPEN_QUANTIFIERS) {
    return rejectPattern(`must have at most ${MAX_OPEN_QUANTIFIERS} of * and +`);
  }
  try {
    return { ok: true, pattern: new RegExp(text, 'iu') };
  } catch {
    return rejectPattern('is no regular expression');
  }
}

const patternCache = new Map<string, RegExp | undefined>();

/** Returns the compiled pattern of a validated rule. The 500 latest are cached. */
export function getPattern(text: string): RegExp | undefined {
  if (patternCache.has(text)) return patternCache.get(text);
  if (patternCache.size >= 500) patternCache.clear();
  const read = parsePattern(text);
  const pattern = read.ok ? read.pattern : undefined;
  patternCache.set(text, pattern);
  return pattern;
}

function rejectPattern(problem: string): PatternResult {
  return { ok: false, problem };
}
