import { parseFocus } from '#domain/identity/focus.js';
import { isPlainObject } from '#domain/observation/value-issue.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { parseScale } from './bands.js';
import { DEFAULT_ABILITY, DEFAULT_PAIN, DEFAULT_WEIGHTS } from './default-model.js';
import { type IcpModel, LAYERS } from './model.js';
import { type ModelProblem, ModelFieldReader } from './model-field-reader.js';
import { parseIntentModel } from './parse-intent.js';
import { MAX_RULES, parsePainRule, parseRule } from './parse-rule.js';

/** Maximum number of problems reported. */
const MAX_PROBLEMS = 50;

const FIELDS = 'id version name description weights fit pain intent ability suppress tiers bands'.split(' ');

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
  const part = new ModelFieldReader(content, path, problems, FIELDS);
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
