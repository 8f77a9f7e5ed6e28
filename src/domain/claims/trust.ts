import type { ClaimRules, EvidenceClass, TrustRow } from './rules.js';

/** What the trust table says about one source and method. */
export interface Reliability {
  r: number;
  class: EvidenceClass;
  isTentative: boolean;
}

/**
 * One index per set of rules, because the table is read for every observation. Memoises a pure function of an immutable
 * argument; an entry lives as long as its rules.
 */
const trustIndexes = new WeakMap<ClaimRules, Map<string, TrustRow>>();

/**
 * Returns the reliability of a source and method. The most exact row counts: the whole source before its family (the
 * part before the first ':'), then family and method, the method of any source, any method of the family. Without a
 * row, `rules.unknownTrust` applies.
 */
export function resolveReliability(rules: ClaimRules, source: string, method: string): Reliability {
  const index = getTrustIndex(rules);
  for (const match of listTrustMatches(source, method)) {
    const row = index.get(match);
    if (row) return { r: row.r, class: row.class, isTentative: row.isTentative ?? false };
  }
  return {
    r: rules.unknownTrust.r,
    class: rules.unknownTrust.class,
    isTentative: rules.unknownTrust.isTentative ?? false,
  };
}

/** Returns whether `match`, written as in the trust table, matches this source and method. */
export function isTrustMatch(match: string, source: string, method: string): boolean {
  return listTrustMatches(source, method).includes(match);
}

/** Returns the matching rows, the most exact first. */
function listTrustMatches(source: string, method: string): string[] {
  const who = source.trim().toLowerCase();
  const how = method.trim().toLowerCase();
  const families = [...new Set([parseFamily(who), sourceFamily(who)])];
  const howFamily = parseFamily(how);
  const whole = families.includes(who) ? [] : [`${who}/${how}`, `${who}/${howFamily}`, `${who}/*`];
  const byMethod = families.flatMap(family => [`${family}/${how}`, `${family}/${howFamily}`]);
  return [...whole, ...byMethod, `*/${how}`, `*/${howFamily}`, ...families.map(family => `${family}/*`)];
}

/**
 * Returns the family of a source: the part before its first ':', in lower case. Sources of one family share a vote. A
 * signed-in person (`person:<id>`) belongs to the family `user`, so both have the same weight everywhere.
 */
export function sourceFamily(source: string): string {
  const family = parseFamily(source.trim().toLowerCase());
  return family === 'person' ? 'user' : family;
}

function parseFamily(text: string): string {
  const end = text.indexOf(':');
  return end < 0 ? text : text.slice(0, end);
}

function getTrustIndex(rules: ClaimRules): Map<string, TrustRow> {
  const known = trustIndexes.get(rules);
  if (known) return known;
  const index = new Map(rules.trust.map(row => [row.match, row]));
  trustIndexes.set(rules, index);
  return index;
}
