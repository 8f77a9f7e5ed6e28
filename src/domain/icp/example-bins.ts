import { countryCode } from '../comparison/countries.js';
import { findIndustries, INDUSTRY_WORDS } from '../comparison/industries.js';
import { findFunctions } from '../comparison/titles.js';
import { FUNCTION_WORDS } from '../comparison/titles.data.js';
import type { JsonValue } from '../observation/observation.js';
import { normalizeMatchText, parseNumber } from '../score/match-rule.js';
import type { RuleOperator, RuleSubject } from '../score/model.js';
import { toSeniorityRank } from '../score/seniority.js';

/** Known properties of a won or lost customer, by canonical property. */
export type CustomerExample = ReadonlyMap<string, JsonValue>;

/** A property by which won and lost customers are compared. */
export interface ComparedProperty {
  readonly on: RuleSubject;
  readonly property: string;
  /** Operator of its bins. */
  readonly op: RuleOperator;
  /** Returns the bins that a value belongs to, sorted; the first one that is known counts. */
  readonly listBins: (value: JsonValue) => readonly string[];
  /** Returns the operand of a bin in a rule. */
  readonly toOperand: (bin: string) => JsonValue;
  /** Bins that exist whether or not an example is in them. */
  readonly fixedBins?: readonly string[];
}

/** Upper bounds of the bins of the number of employees, as LinkedIn and most CRMs group them. */
const HEADCOUNT_BOUNDS = [10, 50, 200, 500, 1_000, 5_000, 1_000_000_000];

const toFirstPhrase = (words: Readonly<Record<string, string>>, concept: string) =>
  (words[concept] ?? concept).split('|')[0]!.trim();

/** A longer text is a description and no value that customers share. */
const MAX_TEXT_LENGTH = 100;

const listTexts = (value: JsonValue) =>
  [value]
    .flat()
    .flatMap(each => (typeof each === 'string' && each.length <= MAX_TEXT_LENGTH ? [normalizeMatchText(each)] : []));

/** The properties by which customers are compared. */
export const COMPARED_PROPERTIES: readonly ComparedProperty[] = [
  {
    on: 'company',
    property: 'industry',
    op: 'contains_any',
    listBins: value =>
      listTexts(value)
        .flatMap(text => orText(findIndustries(text), text))
        .sort(),
    toOperand: bin => [toFirstPhrase(INDUSTRY_WORDS, bin)],
  },
  {
    on: 'company',
    property: 'headcount',
    op: 'lte',
    listBins: value => listHeadcountBins(parseNumber(value)),
    toOperand: bin => Number(bin),
    fixedBins: HEADCOUNT_BOUNDS.map(String),
  },
  {
    on: 'company',
    property: 'country',
    op: 'in',
    listBins: value =>
      listTexts(value)
        .map(text => countryCode(text) ?? text)
        .sort(),
    toOperand: bin => [bin],
  },
  {
    on: 'company',
    property: 'company_type',
    op: 'in',
    listBins: value => listTexts(value).sort(),
    toOperand: bin => [bin],
  },
  {
    on: 'person',
    property: 'seniority',
    op: 'in',
    listBins: value => listTexts(value).map(toSeniorityRank),
    toOperand: bin => [bin],
  },
  {
    on: 'person',
    property: 'title',
    op: 'contains_any',
    listBins: value =>
      listTexts(value)
        .flatMap(text => [...findFunctions(text)])
        .sort(),
    toOperand: bin => [toFirstPhrase(FUNCTION_WORDS, bin)],
  },
];

function orText(concepts: ReadonlySet<string>, text: string): string[] {
  return concepts.size > 0 ? [...concepts] : [text];
}

function listHeadcountBins(size: number | undefined): string[] {
  const bound = size === undefined ? undefined : HEADCOUNT_BOUNDS.find(most => size <= most);
  return bound === undefined ? [] : [String(bound)];
}

/** Returns the value that a property of an example is compared by; the rank is also read from the title. */
export function readComparedValue(example: CustomerExample, { property }: ComparedProperty): JsonValue | undefined {
  return example.get(property) ?? (property === 'seniority' ? example.get('title') : undefined);
}
