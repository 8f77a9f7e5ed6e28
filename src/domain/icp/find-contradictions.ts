import type { JsonValue } from '../observation/observation.js';
import { matchRule, parseNumber } from '../score/match-rule.js';
import type { ScoreRule } from '../score/model.js';
import { describeRule } from '../score/reason-text.js';

/** The numbers that a rule accepts, both ends included. */
interface Interval {
  readonly least: number;
  readonly most: number;
}

/**
 * Returns a sentence for each pair of rules that contradict each other: a wanted rule that an exclusion rules out as a whole,
 * two wanted that no lead can meet both, and exclusions that together rule out every lead.
 */
export function findContradictions(rules: readonly ScoreRule[]): string[] {
  const wanted = rules.filter(({ disqualify, weight, op }) => !disqualify && weight > 0 && op !== 'scorecard');
  const exclusions = rules.filter(({ disqualify, and }) => disqualify && and.length === 0);
  return [
    ...listPairs(wanted, exclusions, isRuledOut).map(
      ([rule, exclusion]) => `"${rule}" is wanted, and "${exclusion}" excludes it.`,
    ),
    ...listPairs(wanted, wanted, isDisjoint).map(([one, other]) => `No lead can meet both "${one}" and "${other}".`),
    ...listPairs(exclusions, exclusions, coversAll).map(
      ([one, other]) => `"${one}" and "${other}" together exclude every lead.`,
    ),
  ];
}

function listPairs(
  rules: readonly ScoreRule[],
  others: readonly ScoreRule[],
  holds: (one: ScoreRule, other: ScoreRule) => boolean,
): (readonly [string, string])[] {
  return rules.flatMap((one, i) =>
    others.flatMap((other, k) => {
      const isSubject = one.on === other.on && one.property === other.property;
      const isRepeat = rules === others && k <= i;
      return isSubject && !isRepeat && holds(one, other) ? [[describeRule(one), describeRule(other)] as const] : [];
    }),
  );
}

function isRuledOut(rule: ScoreRule, exclusion: ScoreRule): boolean {
  const [wanted, excluded] = [toInterval(rule), toInterval(exclusion)];
  if (wanted && excluded) return wanted.least >= excluded.least && wanted.most <= excluded.most;
  const values = listValues(rule);
  return values.length > 0 && values.every(value => matchRule(exclusion, value) === 1);
}

function isDisjoint(one: ScoreRule, other: ScoreRule): boolean {
  const [first, second] = [toInterval(one), toInterval(other)];
  return first !== undefined && second !== undefined && (first.least > second.most || second.least > first.most);
}

function coversAll(one: ScoreRule, other: ScoreRule): boolean {
  const [low, high] = [toInterval(one), toInterval(other)].sort((a, b) => (a?.least ?? 0) - (b?.least ?? 0));
  if (low && high) return low.least === -Infinity && high.most === Infinity && high.least <= low.most + 1;
  const pair = one.op === 'not_in' ? [one, other] : other.op === 'not_in' ? [other, one] : undefined;
  const allowed = pair ? (pair[0]!.value as JsonValue[]) : [];
  return allowed.length > 0 && pair![1]!.op !== 'not_in' && allowed.every(value => matchRule(pair![1]!, value) === 1);
}

function toInterval({ op, value }: ScoreRule): Interval | undefined {
  const [first = Number.NaN, last = first] = [value].flat().map(bound => parseNumber(bound) ?? Number.NaN);
  switch (op) {
    case 'gte':
      return { least: first, most: Infinity };
    case 'lte':
      return { least: -Infinity, most: first };
    case 'between':
      return { least: first, most: last };
    default:
      return undefined;
  }
}

function listValues({ op, value }: ScoreRule): JsonValue[] {
  return op === 'eq' || op === 'in' || op === 'contains_any' ? [value].flat() : [];
}
