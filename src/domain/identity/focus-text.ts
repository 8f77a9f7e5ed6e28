/** Maximum length of a focus text in UTF-16 units: the longest e-mail address of RFC 5321 (64 + 1 + 255). */
export const MAX_FOCUS_LENGTH = 320;

const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
const CONTROL = /\p{Cc}/u;
const BARE_ANGLES = /^<([^<>]*)>$/;
const NAMED_ADDRESS = /^[^<>]*<([^<>@]*@[^<>]*)>$/;

/**
 * Removes invisible characters that copying adds: soft hyphens, zero-width spaces, direction marks, and surrounding
 * white space. Joiners (ZWJ, ZWNJ) stay: names, slugs and domains of some scripts need them.
 */
export function normalizeText(text: string): string {
  return text.replace(INVISIBLE, '').trim();
}

/** Replaces each run of white space by one space. */
export function collapseWhitespace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Returns whether a text has a control character (NUL, tab, line break …) or half of a surrogate pair. */
export function hasControlCharacters(text: string): boolean {
  return CONTROL.test(text) || !text.isWellFormed();
}

/** Unwraps an address: `<…>`, `Name <…@…>` and `mailto:` (whose rest is percent-decoded). */
export function unwrapAddress(text: string): string {
  for (let current = normalizeText(text); ;) {
    const inner = normalizeText(unwrapAddressOnce(current));
    if (inner === current) return current;
    current = inner;
  }
}

function unwrapAddressOnce(text: string): string {
  if (/^mailto:/i.test(text)) return decodePercent(text.slice('mailto:'.length)) ?? text.slice('mailto:'.length);
  return (BARE_ANGLES.exec(text) ?? NAMED_ADDRESS.exec(text))?.[1] ?? text;
}

/** Percent-decodes a text; undefined if it is not well encoded. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
