import {
  type ClaimRules,
  type EvidenceClass,
  type TrustRow,
  type PropertyRule,
  ruleOf,
  defaultRules,
} from './rules.js';
import { isPlainObject } from '../observation/observation.js';
import { canonicalProperty } from '../properties/registry.js';
import { DAY_US, type Instant } from '../time/instant.js';
import type { FoldEntry } from './property-state.js';

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

/** A problem of a trust row or of a half-life. */
export interface TrustProblem {
  readonly field: string;
  readonly message: string;
}

/** Maximum number of properties whose half-life a workspace may set. */
export const MAX_HALF_LIVES = 200;

const PROPERTY = /^[a-z][a-z0-9_.-]{0,79}$/;
const MIN_DAYS = 0.01;
const MAX_DAYS = 36_500;

/** Days after which half of the facts about a property have changed, by property; null for facts that do not age. */
export type HalfLives = Readonly<Record<string, number | null>>;

/** Parses the half-lives that a workspace sets, by canonical property. Returns all problems found. */
export function parseHalfLives(value: unknown): { halfLives: HalfLives; problems: TrustProblem[] } {
  if (!isPlainObject(value) || Object.keys(value).length > MAX_HALF_LIVES) {
    const message = `half_lives must be an object of at most ${MAX_HALF_LIVES} properties, such as {"title": 365}.`;
    return { halfLives: {}, problems: [{ field: 'half_lives', message }] };
  }
  const problems = Object.entries(value).flatMap(([property, days]) => validateHalfLife(property, days));
  if (problems.length > 0) return { halfLives: {}, problems };
  const own = Object.entries(value).map(
    ([property, days]) => [canonicalProperty(property), days as number | null] as const,
  );
  return { halfLives: Object.fromEntries(own.toSorted(([one], [other]) => (one < other ? -1 : 1))), problems };
}

/** Returns the property rules with these half-lives in place of their own. */
export function withHalfLives(rules: ClaimRules, halfLives: HalfLives): Readonly<Record<string, PropertyRule>> {
  const own = Object.entries(halfLives).map(([property, days]) => [
    property,
    { ...ruleOf(rules, property), halfLife: days ?? Infinity },
  ]);
  return { ...rules.properties, ...Object.fromEntries(own) };
}

/** Returns the half-lives of rules in the format of the API. */
export function toHalfLives({ properties }: ClaimRules): HalfLives {
  const all = Object.entries(properties).map(([property, { halfLife }]) => [
    property,
    Number.isFinite(halfLife) ? halfLife : null,
  ]);
  return Object.fromEntries(all);
}

function validateHalfLife(property: string, days: unknown): TrustProblem[] {
  const field = `half_lives.${property.slice(0, 80)}`;
  if (!PROPERTY.test(property)) return [{ field, message: `${field} is no name of a property.` }];
  if (days === null || (typeof days === 'number' && days >= MIN_DAYS && days <= MAX_DAYS)) return [];
  return [{ field, message: `${field} must be days from ${MIN_DAYS} to ${MAX_DAYS}, or null for never.` }];
}

/** Maximum number of trust rows that a workspace may set. */
export const MAX_TRUST_ROWS = 200;

const CLASSES: readonly EvidenceClass[] = ['asserted', 'observed', 'reported', 'inferred'];
const MATCH = /^(?:\*|[a-z0-9][a-z0-9_.-]*(?::[a-z0-9_.:-]+)?)\/(?:\*|[a-z0-9][a-z0-9_.-]*(?::[a-z0-9_.:-]+)?)$/;
const MAX_MATCH_LENGTH = 200;

/** Parses the trust rows that a workspace sets. Returns all problems found. */
export function parseTrustRows(value: unknown): { rows: TrustRow[]; problems: TrustProblem[] } {
  if (!Array.isArray(value) || value.length > MAX_TRUST_ROWS) {
    const message = `trust must be a list of at most ${MAX_TRUST_ROWS} rows {match, r, class}.`;
    return { rows: [], problems: [{ field: 'trust', message }] };
  }
  const problems = value.flatMap((row, i) => validateTrustRow(row, `trust[${i}]`));
  const rows = problems.length > 0 ? [] : value.map(({ match, r, class: grade }) => ({ match, r, class: grade }));
  const twice = rows.find((row, i) => rows.findIndex(({ match }) => match === row.match) < i);
  if (twice) problems.push({ field: 'trust', message: `There are two rows for "${twice.match}"; send one.` });
  return { rows, problems };
}

/**
 * Returns the default rules with these rows replacing those of the same match or added to them, and with these
 * half-lives.
 */
export function withTrustRows(rows: readonly TrustRow[], version: number, halfLives: HalfLives = {}): ClaimRules {
  const own = new Map(rows.map(row => [row.match, row]));
  const usual = defaultRules.trust.filter(({ match }) => !own.has(match));
  const overrides = rows.map(row => ({ ...defaultRules.trust.find(({ match }) => match === row.match), ...row }));
  const properties = withHalfLives(defaultRules, halfLives);
  return { ...defaultRules, version: `workspace@${version}`, trust: [...usual, ...overrides], properties };
}

function validateTrustRow(row: unknown, field: string): TrustProblem[] {
  const { match, r, class: grade, ...rest } = isPlainObject(row) ? row : {};
  const problems: TrustProblem[] = Object.keys(rest).map(name => ({
    field: `${field}.${name}`,
    message: `"${name}" is not a field here; there are match, r and class.`,
  }));
  if (typeof match !== 'string' || match.length > MAX_MATCH_LENGTH || !MATCH.test(match)) {
    problems.push({ field: `${field}.match`, message: 'match looks like "crm/*", "crm:hubspot/sync" or "*/rules".' });
  }
  if (typeof r !== 'number' || !(r >= 0 && r <= 1)) {
    problems.push({ field: `${field}.r`, message: 'r must be a number from 0 to 1.' });
  }
  if (!CLASSES.some(name => name === grade)) {
    problems.push({ field: `${field}.class`, message: `class must be one of ${CLASSES.join(', ')}.` });
  }
  return problems;
}

/** Returns 2^(-age/halfLife): the share of weight left after `age`, with `halfLife` in days. 1 if it is Infinity. */
export function decay(age: Instant, halfLife: number): number {
  return 2 ** (-age / (halfLife * DAY_US));
}

/** Returns the weight of a statement at time `at`. */
export function computeWeight(entry: FoldEntry, at: Instant, halfLife: number): number {
  return entry.r * decay(at - entry.t, halfLife);
}

/**
 * Returns the joint weight of statements at time `at`, 0..1: noisy-or over the families of their sources. Each family
 * votes once, with its heaviest statement, because vendors that buy data from each other are not independent.
 */
export function jointStrength(entries: readonly FoldEntry[], at: Instant, halfLife: number): number {
  const heaviest = new Map<string, number>();
  for (const entry of entries) {
    const family = sourceFamily(entry.source);
    heaviest.set(family, Math.max(heaviest.get(family) ?? 0, computeWeight(entry, at, halfLife)));
  }
  return noisyOr([...heaviest.values()]);
}

/**
 * Returns the probability that at least one of independent sources is right, each being right with its weight
 * (noisy-or).
 */
export function noisyOr(weights: readonly number[]): number {
  return 1 - weights.reduce((wrong, weight) => wrong * (1 - weight), 1);
}

/**
 * Compares two statements by weight; 0 if they weigh the same. Both decay alike, so the order is that of log2(r) +
 * t/halfLife at any time.
 */
export function compareWeight(one: FoldEntry, other: FoldEntry, halfLife: number): number {
  const difference = logWeight(one, halfLife) - logWeight(other, halfLife);
  return difference > 0 ? 1 : difference < 0 ? -1 : 0;
}

function logWeight(entry: FoldEntry, halfLife: number): number {
  return Math.log2(entry.r) + entry.t / (halfLife * DAY_US);
}
