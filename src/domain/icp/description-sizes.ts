import type { RawRule } from './compose-model.js';
import type { Finding } from './description-findings.js';

const COUNT = String.raw`(\d[\d.,]*) ?(?:(k|million|mio|mn|m|billion|bn)(?![a-z]))?`;
/** A count is tried at its first digit only. */
const FIRST_COUNT = String.raw`(?<!\d[.,]{0,3})${COUNT}`;
const CURRENCY = String.raw`(?:[$€£] ?|usd |eur |gbp )?`;
const CURRENCY_AFTER = String.raw`(?: ?(?:[$€£]|usd|eur|gbp|dollars|euros?|pounds))?`;
const HEADS = String.raw`[ -](?:employees?|people|persons?|staff|staff members|heads|headcount|ftes?|seats|workers|colleagues|mitarbeiter|mitarbeitende|employés|salariés|empleados|dipendenti)\b`;
const REVENUE = String.raw` (?:in |of )?(?:annual |yearly |recurring )*(?:revenues?|turnover|sales|arr)\b`;
const HEADS_BEFORE = String.raw`(?:headcount|company size|team size|size|teams?|workforce) ?(?:of|:|is|between|from)? ?(?:of |between |from )?`;
const REVENUE_BEFORE = String.raw`(?:revenues?|turnover|arr) ?(?:of|:|is|between|from)? ?`;
const LEAST = String.raw`(?:at least|no(?:t)? (?:less|fewer|smaller) than|minimum(?: of)?|min\.?|from|starting at)`;
const OVER = String.raw`(?<!\b(?:no|not) )(?:more than|over|above|larger than|bigger than|greater than|upwards of|>=?)`;
const MOST = String.raw`(?:up to|at most|no(?:t)? (?:more|larger|bigger) than|not over|maximum(?: of)?|max\.?)`;
const UNDER = String.raw`(?<!\b(?:no|not) )(?:under|below|less than|fewer than|smaller than|<=?)`;
const AFTER = String.raw` (or|and) (more|above|over|up|fewer|less|below|under)\b`;

/** What a size is counted in: the words after the count, and those before it. */
interface Unit {
  readonly property: 'headcount' | 'revenue';
  readonly before: string;
  readonly after: string;
  readonly count: string;
}

const UNITS: readonly Unit[] = [
  { property: 'headcount', before: HEADS_BEFORE, after: HEADS, count: FIRST_COUNT },
  {
    property: 'revenue',
    before: REVENUE_BEFORE,
    after: `${CURRENCY_AFTER}${REVENUE}`,
    count: `${CURRENCY}${FIRST_COUNT}`,
  },
];

type SizeReader = (counts: readonly number[], exclusive: boolean) => RawRule;

const between: SizeReader = ([least, most]) => {
  const [low, high] = [Math.min(least!, most!), Math.max(least!, most!)];
  return { op: 'between', value: [low, high], slack_below: toSlack(low), slack: toSlack(high) };
};
const atLeast: SizeReader = ([least]) => withSlack('gte', least!);
const atMost: SizeReader = ([most]) => withSlack('lte', most!);
const over: SizeReader = ([least], exclusive) => withSlack('gte', exclusive ? least! + 1 : least!);
const under: SizeReader = ([most], exclusive) => withSlack('lte', exclusive ? most! - 1 : most!);
const openEnded: SizeReader = ([least]) => withSlack('gte', least!);

function withSlack(op: 'gte' | 'lte', value: number): RawRule {
  return { op, value, slack: toSlack(value) };
}

/** Up to a quarter of a bound beyond it counts in part: 45 employees where at least 50 are wanted. */
function toSlack(bound: number): number {
  return Math.round(bound / 4);
}

/** Patterns of sizes with what they mean, the most specific first. */
const PATTERNS = UNITS.flatMap(({ property, before, after, count }) => {
  const range = String.raw`${count}(?: ?[-–—] ?| to | and | bis )${count}`;
  const forms: readonly (readonly [string, SizeReader])[] = [
    [range, between],
    [`${LEAST} ${count}`, atLeast],
    [`${OVER} ?${count}`, over],
    [`${MOST} ${count}`, atMost],
    [`${UNDER} ?${count}`, under],
    [String.raw`${count} ?\+`, openEnded],
  ];
  return [
    ...forms.map(([form, read]) => ({
      property,
      pattern: new RegExp(`(?:between |from )?${form}${after}`, 'gi'),
      read,
    })),
    ...forms.map(([form, read]) => ({ property, pattern: new RegExp(String.raw`\b${before}${form}`, 'gi'), read })),
    { property, pattern: new RegExp(`${count}${after}${AFTER}`, 'gi'), read: undefined },
  ];
});

/**
 * Finds sizes: employees (`50 to 500 employees`, `under 20 people`, `teams of 20-50`) and revenue (`over $10M in revenue`).
 * @param text with single spaces.
 * @param exclusive whether `over` and `under` leave the number itself out, as an exclusion does.
 */
export function findSizes(text: string, exclusive: boolean): Finding[] {
  if (!/\d/.test(text)) return [];
  const found: Finding[] = [...findRangeLists(text)];
  for (const { property, pattern, read } of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (found.some(other => start < other.end && other.start < end)) continue;
      const counts = readCounts(match, read === between);
      if (counts.some(Number.isNaN)) continue;
      const size = read ? read(counts, exclusive) : readOrMore(match[0], counts);
      found.push({ start, end, kind: 'modifier', conditions: [{ on: 'company', property, ...size }] });
    }
  }
  return found;
}

const RANGE_LIST = new RegExp(
  String.raw`${FIRST_COUNT} ?[-–—] ?${COUNT}(?:(?:,? (?:or|and) |, )${FIRST_COUNT} ?[-–—] ?${COUNT}){1,6}${HEADS}`,
  'gi',
);
const EACH_COUNT = new RegExp(COUNT, 'gi');

/** Joins the ranges of a list that share a unit: `11-50, 51-200 or 201-500 employees`. */
function findRangeLists(text: string): Finding[] {
  return [...text.matchAll(RANGE_LIST)].flatMap(({ 0: all, index }) => {
    const counts = [...all.matchAll(EACH_COUNT)].map(([, digits, unit]) => readCount(digits!, unit));
    const size = between([Math.min(...counts), Math.max(...counts)], false);
    const conditions = [{ on: 'company', property: 'headcount', ...size }];
    return counts.some(Number.isNaN) ? [] : [{ start: index, end: index + all.length, kind: 'modifier', conditions }];
  });
}

/** `500 employees or more`, `20 people or fewer`. */
function readOrMore(text: string, counts: readonly number[]): ReturnType<SizeReader> {
  return /(?:more|above|over|up)$/i.test(text) ? atLeast(counts, false) : atMost(counts, false);
}

/** Reads one count, or the two of a range: `1-5k` counts thousands twice, `500-5k` does not. */
function readCounts([, first, firstUnit, second, secondUnit]: RegExpMatchArray, isRange: boolean): number[] {
  if (!isRange) return [readCount(first!, firstUnit)];
  const shared = Number(first) < Number(second) ? secondUnit : undefined;
  return [readCount(first!, firstUnit ?? shared), readCount(second!, secondUnit)];
}

const FACTORS: Readonly<Record<string, number>> = {
  k: 1_000,
  m: 1_000_000,
  mn: 1_000_000,
  mio: 1_000_000,
  million: 1_000_000,
  bn: 1_000_000_000,
  billion: 1_000_000_000,
};

function readCount(text: string, unit: string | undefined): number {
  const bare = text.replace(/[.,]$/, '');
  const isGrouped = /^\d{1,3}(?:[.,]\d{3})+$/.test(bare);
  const number = Number(isGrouped ? bare.replace(/[.,]/g, '') : bare.replace(',', '.'));
  return number * (FACTORS[unit?.toLowerCase() ?? ''] ?? 1);
}
