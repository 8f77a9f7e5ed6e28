import type { Json } from '#domain/observation/observation.js';
import { seniorityOf } from '#domain/score/seniority.js';
import { folded, numberIn } from '#domain/score/value.js';
import type { RawRule } from './read-description.js';
import { DEPARTMENTS } from './vocabulary.data.js';

/** What is known of a customer that was won or lost, by canonical property. */
export type Example = ReadonlyMap<string, Json>;

/** Share of the won customers from which on a value counts, and how much more often they have it than the lost ones. */
const LEAST_SHARE = 0.3;
const LEAST_LIFT = 1.25;
/** Fewer examples say too little for a range. */
const LEAST_NUMBERS = 3;

/**
 * Rules from customers: values that the won ones share and the lost ones have less often, and the range in which the
 * headcount of the middle 80 % of them lies.
 */
export function learnRules(won: readonly Example[], lost: readonly Example[]): RawRule[] {
  return [
    ...shared('company', 'industry', 'in', 3, won, lost, textOf('industry')),
    ...headcountOf(won),
    ...shared('company', 'country', 'in', 1, won, lost, textOf('country')),
    ...shared('company', 'technologies', 'contains_any', 2, won, lost, textOf('technologies')),
    ...shared('person', 'seniority', 'in', 2, won, lost, ranksOf),
    ...shared('person', 'title', 'contains_any', 2, won, lost, departmentsOf),
  ];
}

type Values = (example: Example) => readonly string[];

function shared(
  on: string,
  property: string,
  op: string,
  weight: number,
  won: readonly Example[],
  lost: readonly Example[],
  valuesOf: Values,
): RawRule[] {
  const [ofWon, ofLost] = [sharesOf(won, valuesOf), sharesOf(lost, valuesOf)];
  const value = [...ofWon].filter(
    ([text, share]) => share >= LEAST_SHARE && share >= LEAST_LIFT * (ofLost.get(text) ?? 0),
  );
  return value.length > 0 ? [{ on, property, op, value: value.map(([text]) => text), weight }] : [];
}

/** Of the examples of which the property is known, the share that has each value. */
function sharesOf(examples: readonly Example[], valuesOf: Values): Map<string, number> {
  const known = examples.map(valuesOf).filter(values => values.length > 0);
  const counts = new Map<string, number>();
  for (const values of known) for (const value of new Set(values)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return new Map([...counts].map(([value, count]) => [value, count / known.length]));
}

function headcountOf(won: readonly Example[]): RawRule[] {
  const sizes = won.flatMap(example => numberIn(example.get('headcount') ?? null) ?? []).toSorted((a, b) => a - b);
  if (sizes.length < LEAST_NUMBERS) return [];
  const at = (share: number) => sizes[Math.round(share * (sizes.length - 1))]!;
  const [least, most] = [at(0.1), at(0.9)];
  const slack = Math.max(1, Math.round((most - least) / 2));
  return [{ on: 'company', property: 'headcount', op: 'between', value: [least, most], weight: 3, slack }];
}

function textOf(property: string): Values {
  return example =>
    [example.get(property) ?? []].flat().flatMap(value => (typeof value === 'string' ? [folded(value)] : []));
}

function ranksOf(example: Example): string[] {
  const title = example.get('seniority') ?? example.get('title');
  const rank = typeof title === 'string' ? seniorityOf(title) : '';
  return ['', 'other'].includes(rank) ? [] : [rank];
}

function departmentsOf(example: Example): string[] {
  const title = example.get('title');
  if (typeof title !== 'string') return [];
  const words = new Set(folded(title).split(/[^a-z]+/));
  return Object.keys(DEPARTMENTS).filter(name => DEPARTMENTS[name]!.some(word => words.has(word)));
}
