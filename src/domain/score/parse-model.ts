import { parseFocus } from '../identity/focus.js';
import { isPlainObject, type JsonValue } from '../observation/observation.js';
import { canonicalProperty } from '../properties/registry.js';
import {
  type RuleCondition,
  type RuleOperator,
  RULE_OPERATORS,
  type PainRule,
  type ScoreRule,
  DEFAULT_ABILITY,
  DEFAULT_PAIN,
  DEFAULT_WEIGHTS,
  type IcpModel,
  LAYERS,
} from './model.js';
import { parsePattern, parseNumber } from './match-rule.js';
import { type ModelProblem, ModelFieldReader } from './model-field-reader.js';
import { parseScale } from './bands.js';
import { parseIntentModel } from './intent-layer.js';

/** Maximum number of rules per layer. */
export const MAX_RULES = 100;

const MAX_WEIGHT = 100;
const PROPERTY = /^[a-z][a-z0-9_.-]{0,79}$/;
const MAX_QUOTE_LENGTH = 300;
/** Maximum number of further conditions of a rule. */
const MAX_CONDITIONS = 5;
/** Maximum number of bins of a scorecard. */
export const MAX_BINS = 50;
const CONDITION_FIELDS = ['on', 'property', 'op', 'value', 'slack', 'slack_below'];
const RULE_FIELDS = ['id', ...CONDITION_FIELDS, 'weight', 'disqualify', 'and', 'quote', 'origin'];

/** Properties that default to the company if a rule does not set `on`. */
const COMPANY_PROPERTIES = new Set(
  'industry headcount revenue funding technologies location country company_type type founded competitors'.split(' '),
);

/** Parses one rule of Fit or Ability; problems are appended to `problems`. */
export function parseRule(value: JsonValue, path: string, problems: ModelProblem[]): ScoreRule {
  const part = new ModelFieldReader(value, path, problems, RULE_FIELDS);
  const condition = parseCondition(part);
  const { property } = condition;
  const further = part.list('and', MAX_CONDITIONS) ?? [];
  if (part.get('quote') !== undefined) part.text('quote', MAX_QUOTE_LENGTH);
  if (part.get('origin') !== undefined) part.choice('origin', RULE_ORIGINS);
  const disqualify = part.get('disqualify') ?? false;
  if (typeof disqualify !== 'boolean') part.report('disqualify', 'must be true or false.');
  return {
    ...condition,
    id: part.text('id', 100, `${property}_${path.replace(/\D+/g, '')}`),
    weight: part.number('weight', -MAX_WEIGHT, MAX_WEIGHT, disqualify === true ? 0 : 1),
    disqualify: disqualify === true,
    and: further.map(each => parseFurtherCondition(each.value, each.path, problems)),
  };
}

/** Where a rule of the section `icp` comes from. */
export const RULE_ORIGINS = ['rules', 'description', 'examples'] as const;

function parseFurtherCondition(value: JsonValue, path: string, problems: ModelProblem[]): RuleCondition {
  const part = new ModelFieldReader(value, path, problems, CONDITION_FIELDS);
  const condition = parseCondition(part);
  if (condition.op === 'scorecard') part.report('op', 'must not be "scorecard"; give the scorecard a rule of its own.');
  return condition;
}

function parseCondition(part: ModelFieldReader): RuleCondition {
  const property = parseProperty(part);
  const op = part.choice('op', RULE_OPERATORS, part.get('value') === undefined ? 'exists' : undefined);
  const slack = part.number('slack', 0, Number.MAX_SAFE_INTEGER, 0);
  return {
    on: part.choice('on', ['person', 'company'], COMPANY_PROPERTIES.has(property) ? 'company' : 'person'),
    property,
    op,
    value: parseExpectedValue(part, op),
    slack,
    slackBelow: part.number('slack_below', 0, Number.MAX_SAFE_INTEGER, slack),
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
  if (op === 'scorecard') return parseScorecard(part, value);
  const problem = findValueProblem(op, value);
  if (problem !== undefined) part.report('value', problem);
  return op === 'exists' ? null : (value ?? null);
}

function parseScorecard(part: ModelFieldReader, value: JsonValue | undefined): JsonValue {
  const card = new ModelFieldReader(value, `${part.path}.value`, part.problems, ['bins', 'average']);
  card.number('average', 0, 1);
  for (const { value: bin, path } of card.list('bins', MAX_BINS) ?? []) {
    const own = new ModelFieldReader(bin, path, part.problems, ['op', 'value', 'share', 'evidence']);
    const op = own.choice(
      'op',
      RULE_OPERATORS.filter(each => each !== 'scorecard'),
    );
    parseExpectedValue(own, op);
    own.number('share', 0, 1);
    if (own.get('evidence') !== undefined) own.text('evidence', MAX_QUOTE_LENGTH);
  }
  return value ?? null;
}

function findValueProblem(op: RuleOperator, value: JsonValue | undefined): string | undefined {
  switch (op) {
    case 'exists':
      return value === undefined || value === true || value === null ? undefined : 'must be left out of "exists".';
    case 'eq':
      return isScalar(value) ? undefined : 'must be a text, a number or a boolean.';
    case 'in':
    case 'not_in':
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

/** Maximum number of problems reported. */
const MAX_PROBLEMS = 50;

const MODEL_FIELDS = 'id version name description weights fit pain intent ability suppress tiers bands'.split(' ');

/** A validated model, or all its problems. */
export type ModelResult =
  | { readonly ok: true; readonly model: IcpModel }
  | { readonly ok: false; readonly problems: readonly ModelProblem[] };

/** Returns whether the content of the section `icp` is a model; anything else is prose about the ideal customer. */
export function isModelContent(content: JsonValue | undefined): content is Record<string, JsonValue> {
  if (!isPlainObject(content)) return false;
  const rules = [content['fit'], content['pain'], content['ability']];
  return rules.some(Array.isArray) || isPlainObject(content['weights']) || isPlainObject(content['intent']);
}

/**
 * Parses a model of the ideal customer. Missing fields have their defaults. Weights of layers are scaled to add up to
 * 1; a layer that `weights` does not name has weight 0.
 * @param version version of the section that contains it.
 * @param path path of the model, for problems.
 */
export function parseModel(content: JsonValue, version: number, path = 'content'): ModelResult {
  const problems: ModelProblem[] = [];
  const part = new ModelFieldReader(content, path, problems, MODEL_FIELDS);
  const fit = part.list('fit', MAX_RULES)?.map(rule => parseRule(rule.value, rule.path, problems));
  const pain = part.list('pain', MAX_RULES)?.map(rule => parsePainRule(rule.value, rule.path, problems));
  const ability = part.list('ability', MAX_RULES)?.map(rule => parseRule(rule.value, rule.path, problems));
  const model: IcpModel = {
    id: parseModelId(part),
    version,
    weights: parseWeights(part, problems),
    fit: fit ?? [],
    pain: pain ?? DEFAULT_PAIN,
    intent: parseIntentModel(part.get('intent'), `${path}.intent`, problems),
    ability: ability ?? DEFAULT_ABILITY,
    suppress: parseSuppressedDomains(part, problems),
    scale: parseScale(part, problems),
  };
  for (const [name, rules] of Object.entries({ fit, pain, ability })) reportDuplicateIds(part, name, rules ?? []);
  return problems.length > 0 ? { ok: false, problems: problems.slice(0, MAX_PROBLEMS) } : { ok: true, model };
}

function parseModelId(part: ModelFieldReader): string {
  const id = part.text('id', 60, 'default');
  if (id !== '' && !/^[\w.-]+$/.test(id)) part.report('id', 'must be a word of letters, digits, "_", "." and "-".');
  return id;
}

function parseWeights(part: ModelFieldReader, problems: ModelProblem[]): IcpModel['weights'] {
  const given = part.get('weights');
  if (given === undefined) return DEFAULT_WEIGHTS;
  const own = new ModelFieldReader(given, `${part.path}.weights`, problems, LAYERS);
  const weights = LAYERS.map(name => [name, own.number(name, 0, 100, 0)] as const);
  const sum = weights.reduce((all, [, weight]) => all + weight, 0);
  if (sum <= 0) own.report('', 'must have at least one layer above 0.');
  return Object.fromEntries(weights.map(([name, weight]) => [name, sum > 0 ? weight / sum : 0])) as IcpModel['weights'];
}

function parseSuppressedDomains(part: ModelFieldReader, problems: ModelProblem[]): ReadonlySet<string> {
  const given = part.get('suppress');
  if (given === undefined) return new Set();
  const own = new ModelFieldReader(given, `${part.path}.suppress`, problems, ['domains']);
  const domains = (own.list('domains', 1000) ?? []).map(({ value, path }) => {
    const focus = typeof value === 'string' ? parseFocus(value) : undefined;
    if (focus?.form === 'domain') return focus.key;
    problems.push({ field: path, message: `${path} is no domain; write it like "acme.com".` });
    return '';
  });
  return new Set(domains);
}

function reportDuplicateIds(part: ModelFieldReader, name: string, rules: readonly { readonly id: string }[]): void {
  const seen = new Set<string>();
  rules.forEach(({ id }, i) => {
    if (seen.has(id)) part.report(`${name}[${i}].id`, `"${id}" is the id of an earlier rule; give this one its own.`);
    seen.add(id);
  });
}
