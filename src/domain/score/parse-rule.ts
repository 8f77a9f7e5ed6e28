import type { JsonValue } from '#domain/observation/observation.js';
import { canonicalProperty } from '#domain/properties/registry.js';
import { type RuleOperator, RULE_OPERATORS, type PainRule, type ScoreRule } from './model.js';
import { parsePattern } from './pattern.js';
import { type ModelProblem, ModelFieldReader } from './model-field-reader.js';
import { parseNumber } from './rule-value.js';

/** Maximum number of rules per layer. */
export const MAX_RULES = 100;

const MAX_WEIGHT = 100;
const PROPERTY = /^[a-z][a-z0-9_.-]{0,79}$/;
const FIELDS = ['id', 'on', 'property', 'op', 'value', 'weight', 'disqualify', 'slack'];

/** Properties that default to the company if a rule does not set `on`. */
const COMPANY_PROPERTIES = new Set(
  'industry headcount revenue funding technologies location country company_type type founded competitors'.split(' '),
);

/** Parses one rule of Fit or Ability; problems are appended to `problems`. */
export function parseRule(value: JsonValue, path: string, problems: ModelProblem[]): ScoreRule {
  const part = new ModelFieldReader(value, path, problems, FIELDS);
  const property = parseProperty(part);
  const op = part.choice('op', RULE_OPERATORS, part.get('value') === undefined ? 'exists' : undefined);
  const disqualify = part.get('disqualify') ?? false;
  if (typeof disqualify !== 'boolean') part.report('disqualify', 'must be true or false.');
  return {
    id: part.text('id', 100, `${property}_${path.replace(/\D+/g, '')}`),
    on: part.choice('on', ['person', 'company'], COMPANY_PROPERTIES.has(property) ? 'company' : 'person'),
    property,
    op,
    value: parseExpectedValue(part, op),
    weight: part.number('weight', -MAX_WEIGHT, MAX_WEIGHT, disqualify === true ? 0 : 1),
    disqualify: disqualify === true,
    slack: part.number('slack', 0, Number.MAX_SAFE_INTEGER, 0),
  };
}

/** Parses one rule of Pain. */
export function parsePainRule(value: JsonValue, path: string, problems: ModelProblem[]): PainRule {
  const part = new ModelFieldReader(value, path, problems, ['id', 'match', 'p', 'half_life_days']);
  return {
    id: part.text('id', 100, `pain_${path.replace(/\D+/g, '')}`),
    match: parsePainMatch(part, problems),
    p: part.number('p', 0, 0.99),
    halfLifeDays: part.number('half_life_days', 0.01, 36_500, 180),
  };
}

function parsePainMatch(rule: ModelFieldReader, problems: ModelProblem[]): PainRule['match'] {
  const part = new ModelFieldReader(rule.get('match'), `${rule.path}.match`, problems, [
    'property',
    'keyword',
    'technology',
  ]);
  const given = ['property', 'keyword', 'technology'].filter(name => part.get(name) !== undefined);
  if (given.length !== 1) part.report('', 'must have one of property, keyword, technology.');
  if (given[0] === 'keyword') return { keyword: part.words('keyword') };
  if (given[0] === 'technology') return { technology: part.words('technology') };
  return { property: given[0] === 'property' ? parseProperty(part) : '' };
}

function parseProperty(part: ModelFieldReader): string {
  const property = part.text('property', 80);
  if (property !== '' && !PROPERTY.test(property)) {
    part.report('property', 'must be the name of a property, such as "title" or "headcount".');
  }
  return canonicalProperty(property);
}

function parseExpectedValue(part: ModelFieldReader, op: RuleOperator): JsonValue {
  const value = part.get('value');
  const problem = findValueProblem(op, value);
  if (problem !== undefined) part.report('value', problem);
  return op === 'exists' ? null : (value ?? null);
}

function findValueProblem(op: RuleOperator, value: JsonValue | undefined): string | undefined {
  switch (op) {
    case 'exists':
      return value === undefined || value === true || value === null ? undefined : 'must be left out of "exists".';
    case 'eq':
      return isScalar(value) ? undefined : 'must be a text, a number or a boolean.';
    case 'in':
    case 'contains_any':
      return isListOf(value, isScalar) ? undefined : 'must be a list of 1 to 500 texts or numbers.';
    case 'matches':
      return findPatternProblem(value);
    case 'between':
      return isListOf(value, isNumber) && value.length === 2 ? undefined : 'must be two numbers, [least, most].';
    default:
      return isNumber(value) ? undefined : 'must be a number.';
  }
}

function findPatternProblem(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'string') return 'must be a regular expression, as a text.';
  const read = parsePattern(value);
  return read.ok ? undefined : `${read.problem}.`;
}

function isScalar(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value.trim() !== '' && value.length <= 500;
  return typeof value === 'number' || typeof value === 'boolean';
}

function isNumber(value: JsonValue | undefined): boolean {
  return value !== undefined && parseNumber(value) !== undefined;
}

function isListOf(value: JsonValue | undefined, holds: (member: JsonValue) => boolean): value is JsonValue[] {
  return Array.isArray(value) && value.length > 0 && value.length <= 500 && value.every(holds);
}
