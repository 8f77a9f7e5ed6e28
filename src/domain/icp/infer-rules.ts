import type { JsonValue } from '../observation/observation.js';
import { parseSeniority } from '../score/seniority.js';
import { normalizeMatchText, parseNumber } from '../score/match-rule.js';
import type { RawRule } from './parse-description.js';
import { DEPARTMENTS } from './vocabulary.data.js';

/** Known properties of a won or lost customer, by canonical property. */
export type CustomerExample = ReadonlyMap<string, JsonValue>;

/** Minimum share of won customers with a value, and by how much it must exceed the share of lost ones. */
const MIN_SHARE = 0.3;
const MIN_LIFT = 1.25;
/** Minimum number of examples for a range. */
const MIN_SAMPLES = 3;

/**
 * Infers rules from customers: values that won customers share and lost ones have less often, and the headcount range
 * of the middle 80 %.
 */
export function inferRules(won: readonly CustomerExample[], lost: readonly CustomerExample[]): RawRule[] {
  return [
    ...inferSharedRule('company', 'industry', 'in', 3, won, lost, createTextReader('industry')),
    ...inferHeadcountRule(won),
    ...inferSharedRule('company', 'country', 'in', 1, won, lost, createTextReader('country')),
    ...inferSharedRule('company', 'technologies', 'contains_any', 2, won, lost, createTextReader('technologies')),
    ...inferSharedRule('person', 'seniority', 'in', 2, won, lost, readRanks),
    ...inferSharedRule('person', 'title', 'contains_any', 2, won, lost, readDepartments),
  ];
}

type ValueReader = (example: CustomerExample) => readonly string[];

function inferSharedRule(
  on: string,
  property: string,
  op: string,
  weight: number,
  won: readonly CustomerExample[],
  lost: readonly CustomerExample[],
  valuesOf: ValueReader,
): RawRule[] {
  const [ofWon, ofLost] = [computeShares(won, valuesOf), computeShares(lost, valuesOf)];
  const value = [...ofWon].filter(([text, share]) => share >= MIN_SHARE && share >= MIN_LIFT * (ofLost.get(text) ?? 0));
  return value.length > 0 ? [{ on, property, op, value: value.map(([text]) => text), weight }] : [];
}

/** Returns the share of each value among the examples that have the property. */
function computeShares(examples: readonly CustomerExample[], valuesOf: ValueReader): Map<string, number> {
  const known = examples.map(valuesOf).filter(values => values.length > 0);
  const counts = new Map<string, number>();
  for (const values of known) for (const value of new Set(values)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return new Map([...counts].map(([value, count]) => [value, count / known.length]));
}

function inferHeadcountRule(won: readonly CustomerExample[]): RawRule[] {
  const sizes = won.flatMap(example => parseNumber(example.get('headcount') ?? null) ?? []).toSorted((a, b) => a - b);
  if (sizes.length < MIN_SAMPLES) return [];
  const at = (share: number) => sizes[Math.round(share * (sizes.length - 1))]!;
  const [least, most] = [at(0.1), at(0.9)];
  const slack = Math.max(1, Math.round((most - least) / 2));
  return [{ on: 'company', property: 'headcount', op: 'between', value: [least, most], weight: 3, slack }];
}

function createTextReader(property: string): ValueReader {
  return example =>
    [example.get(property) ?? []]
      .flat()
      .flatMap(value => (typeof value === 'string' ? [normalizeMatchText(value)] : []));
}

function readRanks(example: CustomerExample): string[] {
  const title = example.get('seniority') ?? example.get('title');
  const rank = typeof title === 'string' ? parseSeniority(title) : '';
  return ['', 'other'].includes(rank) ? [] : [rank];
}

function readDepartments(example: CustomerExample): string[] {
  const title = example.get('title');
  if (typeof title !== 'string') return [];
  const words = new Set(normalizeMatchText(title).split(/[^a-z]+/));
  return Object.keys(DEPARTMENTS).filter(name => DEPARTMENTS[name]!.some(word => words.has(word)));
}
