import type { JsonValue } from '#domain/observation/observation.js';
import { type ColumnRule, ScoreColumn } from './score-column.js';
import type { IcpModel, ScoreRule } from './model.js';
import { KEYWORD_PROPERTIES } from './pain-layer.js';
import { parseSeniority } from './seniority.js';

const identity = (value: JsonValue) => value;
const toRank = (value: JsonValue) => (typeof value === 'string' ? parseSeniority(value) : undefined);

/** Builds the columns of the properties that a model reads from leads outside the graph, by canonical name. */
export function buildScoreColumns(model: IcpModel): Map<string, ScoreColumn> {
  const rulesByProperty = Map.groupBy(listFitRules(model), ({ property }) => property);
  const words = Map.groupBy(listHintWords(model), ({ property }) => property);
  const shown = model.pain.flatMap(({ match }) => ('property' in match ? [match.property] : []));
  const properties = new Set([...rulesByProperty.keys(), ...words.keys(), ...shown]);
  return new Map(
    [...properties].map(property => [
      property,
      new ScoreColumn(rulesByProperty.get(property) ?? [], words.get(property)?.map(each => each.words) ?? []),
    ]),
  );
}

/** Returns what a rule reads: its property, and for seniority also the title. */
export function listRuleSources(rule: ScoreRule): (ColumnRule & { readonly property: string })[] {
  const { on, property } = rule;
  const own = { rule, property, read: identity };
  return on === 'person' && property === 'seniority' ? [own, { rule, property: 'title', read: toRank }] : [own];
}

/** Returns the rules of Fit, and the disqualifying ones of Ability. */
function listFitRules({ fit, ability }: IcpModel): (ColumnRule & { readonly property: string })[] {
  const outright = ability.filter((rule): rule is ScoreRule => 'disqualify' in rule && rule.disqualify);
  return [...fit, ...outright].flatMap(listRuleSources);
}

function listHintWords({ pain }: IcpModel): { readonly property: string; readonly words: readonly string[] }[] {
  return pain.flatMap(({ match }) => {
    if ('technology' in match) return [{ property: 'technologies', words: match.technology }];
    return 'keyword' in match ? KEYWORD_PROPERTIES.map(property => ({ property, words: match.keyword })) : [];
  });
}
