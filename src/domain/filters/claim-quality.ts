import type { EpistemicClass, Freshness } from '../claims/confidence.js';
import type { Instant } from '../time/instant.js';
import { parseTime } from './comparand.js';
import { type ComparisonOperator, type Field, type FieldTest, type Filter, toClaimField } from './filter.js';

/** Maximum number of values in one list. */
export const MAX_FILTER_VALUES = 1_000;

/** Rejects the current condition with a message that says how to fix it. */
export type RejectCondition = (message: string) => undefined;

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
const QUALITY_OPERATORS: Readonly<Record<string, ComparisonOperator | '='>> = {
  $eq: '=',
  $gt: '>',
  $gte: '>=',
  $lt: '<',
  $lte: '<=',
};

/** Qualities of a claim that can be filtered besides its value. */
export const CLAIM_QUALITY_FIELDS = [
  'freshness',
  'confidence',
  'epistemic_class',
  'last_observed_at',
  'refresh_due_at',
  'source',
  'only_source',
] as const;

/** Parses a condition on freshness, confidence, class, times or sources of a field's claim. */
export function parseQualityCondition(
  what: (typeof CLAIM_QUALITY_FIELDS)[number],
  requested: Field,
  raw: unknown,
  now: Instant,
  refuse: RejectCondition,
): Filter | undefined {
  const field = toClaimField(requested);
  if (!field) return refuse(`${requested.name} is no claim, so it has no ${what}`);
  switch (what) {
    case 'freshness':
      return parseWords(raw, toKnownWords(FRESHNESS), grades => ({ op: 'freshness', grades }), field, refuse);
    case 'epistemic_class':
      return parseWords(raw, toKnownWords(CLASSES), classes => ({ op: 'class', classes }), field, refuse);
    case 'source':
    case 'only_source':
      return parseWords(raw, SOURCE_WORDS, sources => ({ op: what, sources }), field, refuse);
    default:
      return parseLimits(what, field, raw, now, refuse);
  }
}

function parseLimits(
  what: 'confidence' | 'last_observed_at' | 'refresh_due_at',
  field: Field,
  raw: unknown,
  now: Instant,
  refuse: RejectCondition,
): Filter | undefined {
  const limits = parseBounds(typeof raw === 'number' ? { $eq: raw } : raw);
  if (!limits) return refuse(`${what} takes limits such as ${LIMIT_EXAMPLES[what]}`);
  const tests = limits.map(([side, limit]) =>
    what === 'confidence' ? toConfidenceTest(side, limit) : toTimeTest(what, side, limit, now),
  );
  if (tests.some(test => test === undefined))
    return refuse(
      what === 'confidence' ? 'confidence is a number from 0 to 1' : `${what} is a time, or one like "-30d" or "+7d"`,
    );
  return { all: tests.map(test => ({ field, test: test! })) };
}

const LIMIT_EXAMPLES = {
  confidence: '{"$gte": 0.7}',
  last_observed_at: '{"$gte": "-30d"}',
  refresh_due_at: '{"$lte": "+7d"}',
};

/** Words that a condition takes. */
interface Words<Word extends string> {
  readonly includes: (word: unknown) => word is Word;
  /** Completes a sentence that begins with "it is". */
  readonly description: string;
}

function toKnownWords<Word extends string>(known: readonly Word[]): Words<Word> {
  return {
    includes: (word): word is Word => known.includes(word as Word),
    description: `one of ${known.join(', ')}`,
  };
}

/** Maximum length of the name of a source. */
const MAX_SOURCE_LENGTH = 200;

const SOURCE_WORDS: Words<string> = {
  includes: (word): word is string =>
    typeof word === 'string' && word !== '' && word.length <= MAX_SOURCE_LENGTH && !word.includes('\0'),
  description: `the name of a source, such as "crm:hubspot", of at most ${MAX_SOURCE_LENGTH} characters`,
};

/** Parses one word, `{"$in": [words]}`, `{"$eq": word}`, or their negations. */
function parseWords<Word extends string>(
  raw: unknown,
  words: Words<Word>,
  test: (words: readonly Word[]) => FieldTest,
  field: Field,
  refuse: RejectCondition,
): Filter | undefined {
  const [op, operand, ...more] = typeof raw === 'object' && raw !== null ? Object.entries(raw).flat() : ['$eq', raw];
  const chosen = Array.isArray(operand) ? operand : [operand];
  const fits = ['$eq', '$ne', '$in', '$nin'].includes(String(op)) && more.length === 0;
  if (!fits || chosen.length === 0 || chosen.length > MAX_FILTER_VALUES || !chosen.every(words.includes))
    return refuse(`it is ${words.description}, or {"$in": […]} of them`);
  const condition: Filter = { field, test: test(chosen) };
  return op === '$ne' || op === '$nin' ? { not: condition } : condition;
}

function parseBounds(raw: unknown): [ComparisonOperator | '=', unknown][] | undefined {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined;
  const limits = Object.entries(raw);
  if (limits.length === 0 || !limits.every(([op]) => Object.hasOwn(QUALITY_OPERATORS, op))) return undefined;
  return limits.map(([op, limit]) => [QUALITY_OPERATORS[op]!, limit]);
}

function toConfidenceTest(side: ComparisonOperator | '=', limit: unknown): FieldTest | undefined {
  if (typeof limit !== 'number' || !(limit >= 0 && limit <= 1)) return undefined;
  return { op: 'confidence', side, value: limit };
}

function toTimeTest(
  what: 'last_observed_at' | 'refresh_due_at',
  side: ComparisonOperator | '=',
  limit: unknown,
  now: Instant,
): FieldTest | undefined {
  const value = typeof limit === 'string' ? parseTime(limit, now) : undefined;
  if (value === undefined || side === '=') return undefined;
  return { op: what === 'refresh_due_at' ? what : 'observed', side, value };
}
