import { isPlainObject } from '#domain/observation/value-issue.js';
import { canonicalProperty } from '#domain/properties/registry.js';
import { type ClaimRules, type PropertyRule, ruleOf } from './rules.js';
import type { TrustProblem } from './trust-problem.js';

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
