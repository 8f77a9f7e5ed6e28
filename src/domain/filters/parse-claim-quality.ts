import type { EpistemicClass } from '#domain/claims/confidence.js';
import type { Freshness } from '#domain/claims/freshness.js';
import type { Instant } from '#domain/time/instant.js';
import type { Field, Filter, ComparisonOperator, FieldTest } from './filter.js';
import { parseTime } from './relative-time.js';
import type { RejectCondition } from './parse-operator.js';

const FRESHNESS: readonly Freshness[] = ['fresh', 'aging', 'suspect', 'expired'];
const CLASSES: readonly EpistemicClass[] = [
  'ended',
  'contested',
  'corroborated',
  'asserted',
  'observed',
  'reported',
  'inferred',
];
const comparisonOperators: Readonly<Record<string, ComparisonOperator | '='>> = {
  $eq: '=',
  $gt: '>',
  $gte: '>=',
  $lt: '<',
  $lte: '<=',
};

/** Qualities of a claim that can be filtered besides its value. */
export const CLAIM_QUALITY_FIELDS = ['freshness', 'confidence', 'epistemic_class', 'last_observed_at'] as const;

/** Returns the claim behind a field; undefined for columns, which are not claims. */
export function toClaimField({ name, kind }: Field): Field | undefined {
  if (kind === 'claim') return { name, kind };
  if (kind === 'name' || kind === 'email' || kind === 'domain') return { name: kind, kind: 'claim' };
  return kind === 'linkedin' ? { name: 'linkedin_url', kind: 'claim' } : undefined;
}

/** Parses a condition on freshness, confidence, class or last observation of a field's claim. */
export function parseQualityCondition(
  what: (typeof CLAIM_QUALITY_FIELDS)[number],
  requested: Field,
  raw: unknown,
  now: Instant,
  refuse: RejectCondition,
): Filter | undefined {
  const field = toClaimField(requested);
  if (!field) return refuse(`${requested.name} is no claim, so it has no ${what}`);
  if (what === 'freshness') return parseWords(raw, FRESHNESS, grades => ({ op: 'freshness', grades }), field, refuse);
  if (what === 'epistemic_class') return parseWords(raw, CLASSES, classes => ({ op: 'class', classes }), field, refuse);
  const limits = parseBounds(typeof raw === 'number' ? { $eq: raw } : raw);
  if (!limits) return refuse(`${what} takes limits such as {"$gte": ${what === 'confidence' ? '0.7' : '"-30d"'}}`);
  const tests = limits.map(([side, limit]) =>
    what === 'confidence' ? toConfidenceTest(side, limit) : toObservedTest(side, limit, now),
  );
  if (tests.some(test => test === undefined))
    return refuse(
      what === 'confidence' ? 'confidence is a number from 0 to 1' : `${what} is a time, or one like "-30d"`,
    );
  return { all: tests.map(test => ({ field, test: test! })) };
}

/** Parses one word, `{"$in": [words]}`, `{"$eq": word}`, or their negations. */
function parseWords<Word extends string>(
  raw: unknown,
  known: readonly Word[],
  test: (words: readonly Word[]) => FieldTest,
  field: Field,
  refuse: RejectCondition,
): Filter | undefined {
  const [op, operand, ...more] = typeof raw === 'object' && raw !== null ? Object.entries(raw).flat() : ['$eq', raw];
  const chosen = Array.isArray(operand) ? operand : [operand];
  const fits = ['$eq', '$ne', '$in', '$nin'].includes(String(op)) && more.length === 0;
  if (!fits || chosen.length === 0 || !chosen.every(word => known.includes(word as Word)))
    return refuse(`it is one of ${known.join(', ')}, or {"$in": […]} of them`);
  const condition: Filter = { field, test: test(chosen as Word[]) };
  return op === '$ne' || op === '$nin' ? { not: condition } : condition;
}

function parseBounds(raw: unknown): [ComparisonOperator | '=', unknown][] | undefined {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined;
  const limits = Object.entries(raw);
  if (limits.length === 0 || !limits.every(([op]) => Object.hasOwn(comparisonOperators, op))) return undefined;
  return limits.map(([op, limit]) => [comparisonOperators[op]!, limit]);
}

function toConfidenceTest(side: ComparisonOperator | '=', limit: unknown): FieldTest | undefined {
  if (typeof limit !== 'number' || !(limit >= 0 && limit <= 1)) return undefined;
  return { op: 'confidence', side, value: limit };
}

function toObservedTest(side: ComparisonOperator | '=', limit: unknown, now: Instant): FieldTest | undefined {
  const value = typeof limit === 'string' ? parseTime(limit, now) : undefined;
  return value === undefined || side === '=' ? undefined : { op: 'observed', side, value };
}
