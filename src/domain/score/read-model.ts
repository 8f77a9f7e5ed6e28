import { parseFocus } from '#domain/identity/focus.js';
import { isPlainObject } from '#domain/observation/json-check.js';
import type { Json } from '#domain/observation/observation.js';
import { readScale } from './bands.js';
import { DEFAULT_ABILITY, DEFAULT_PAIN, DEFAULT_WEIGHTS } from './defaults.js';
import { type IcpModel, LAYERS } from './model.js';
import { type ModelProblem, Part } from './reading.js';
import { readIntent } from './read-intent.js';
import { MAX_RULES, readPainRule, readRule } from './read-rule.js';

/** Most problems that are named. */
const MAX_PROBLEMS = 50;

const FIELDS = 'id version name description weights fit pain intent ability suppress tiers bands'.split(' ');

/** A model that is checked and complete, or every problem that it has. */
export type ReadModel =
  | { readonly ok: true; readonly model: IcpModel }
  | { readonly ok: false; readonly problems: readonly ModelProblem[] };

/** Whether a content of the section `icp` means to be a model; anything else is prose about the ideal customer. */
export function looksLikeModel(content: Json | undefined): content is Record<string, Json> {
  if (!isPlainObject(content)) return false;
  const rules = [content['fit'], content['pain'], content['ability']];
  return rules.some(Array.isArray) || isPlainObject(content['weights']) || isPlainObject(content['intent']);
}

/**
 * Reads a model of the ideal customer; what it leaves out has its usual value. Weights of layers are taken in
 * proportion, so that they add up to 1; a layer that `weights` does not name has none.
 * @param version of the section that it stands in.
 * @param path of the model, for the names of problems.
 */
export function readModel(content: Json, version: number, path = 'content'): ReadModel {
  const problems: ModelProblem[] = [];
  const part = new Part(content, path, problems, FIELDS);
  const fit = part.list('fit', MAX_RULES)?.map(rule => readRule(rule.value, rule.path, problems));
  const pain = part.list('pain', MAX_RULES)?.map(rule => readPainRule(rule.value, rule.path, problems));
  const ability = part.list('ability', MAX_RULES)?.map(rule => readRule(rule.value, rule.path, problems));
  const model: IcpModel = {
    id: idOf(part),
    version,
    weights: weightsOf(part, problems),
    fit: fit ?? [],
    pain: pain ?? DEFAULT_PAIN,
    intent: readIntent(part.get('intent'), `${path}.intent`, problems),
    ability: ability ?? DEFAULT_ABILITY,
    suppress: suppressedIn(part, problems),
    scale: readScale(part, problems),
  };
  for (const [name, rules] of Object.entries({ fit, pain, ability })) reportTwins(part, name, rules ?? []);
  return problems.length > 0 ? { ok: false, problems: problems.slice(0, MAX_PROBLEMS) } : { ok: true, model };
}

function idOf(part: Part): string {
  const id = part.text('id', 60, 'default');
  if (id !== '' && !/^[\w.-]+$/.test(id)) part.report('id', 'must be a word of letters, digits, "_", "." and "-".');
  return id;
}

function weightsOf(part: Part, problems: ModelProblem[]): IcpModel['weights'] {
  const given = part.get('weights');
  if (given === undefined) return DEFAULT_WEIGHTS;
  const own = new Part(given, `${part.path}.weights`, problems, LAYERS);
  const weights = LAYERS.map(name => [name, own.number(name, 0, 100, 0)] as const);
  const sum = weights.reduce((all, [, weight]) => all + weight, 0);
  if (sum <= 0) own.report('', 'must have at least one layer above 0.');
  return Object.fromEntries(weights.map(([name, weight]) => [name, sum > 0 ? weight / sum : 0])) as IcpModel['weights'];
}

function suppressedIn(part: Part, problems: ModelProblem[]): ReadonlySet<string> {
  const given = part.get('suppress');
  if (given === undefined) return new Set();
  const own = new Part(given, `${part.path}.suppress`, problems, ['domains']);
  const domains = (own.list('domains', 1000) ?? []).map(({ value, path }) => {
    const focus = typeof value === 'string' ? parseFocus(value) : undefined;
    if (focus?.form === 'domain') return focus.key;
    problems.push({ field: path, message: `${path} is no domain; write it like "acme.com".` });
    return '';
  });
  return new Set(domains);
}

function reportTwins(part: Part, name: string, rules: readonly { readonly id: string }[]): void {
  const seen = new Set<string>();
  rules.forEach(({ id }, i) => {
    if (seen.has(id)) part.report(`${name}[${i}].id`, `"${id}" is the id of an earlier rule; give this one its own.`);
    seen.add(id);
  });
}
