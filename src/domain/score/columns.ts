import type { Json } from '#domain/observation/observation.js';
import { type Asked, Column } from './column.js';
import type { IcpModel, Rule } from './model.js';
import { SAID } from './pain-layer.js';
import { seniorityOf } from './seniority.js';

const asItIs = (value: Json) => value;
const asRank = (value: Json) => (typeof value === 'string' ? seniorityOf(value) : undefined);

/** The properties that a model looks at in leads which are not in the graph, by canonical name. */
export function columnsOf(model: IcpModel): Map<string, Column> {
  const asked = Map.groupBy(askedBy(model), ({ property }) => property);
  const words = Map.groupBy(wordsOf(model), ({ property }) => property);
  const shown = model.pain.flatMap(({ match }) => ('property' in match ? [match.property] : []));
  const properties = new Set([...asked.keys(), ...words.keys(), ...shown]);
  return new Map(
    [...properties].map(property => [
      property,
      new Column(asked.get(property) ?? [], words.get(property)?.map(each => each.words) ?? []),
    ]),
  );
}

/** What a rule reads: the property that it names; else a rank is also told by the title. */
export function sourcesOf(rule: Rule): (Asked & { readonly property: string })[] {
  const { on, property } = rule;
  const own = { rule, property, read: asItIs };
  return on === 'person' && property === 'seniority' ? [own, { rule, property: 'title', read: asRank }] : [own];
}

/** Rules of Fit, and those of Ability that rule a lead out. */
function askedBy({ fit, ability }: IcpModel): (Asked & { readonly property: string })[] {
  const outright = ability.filter((rule): rule is Rule => 'disqualify' in rule && rule.disqualify);
  return [...fit, ...outright].flatMap(sourcesOf);
}

function wordsOf({ pain }: IcpModel): { readonly property: string; readonly words: readonly string[] }[] {
  return pain.flatMap(({ match }) => {
    if ('technology' in match) return [{ property: 'technologies', words: match.technology }];
    return 'keyword' in match ? SAID.map(property => ({ property, words: match.keyword })) : [];
  });
}
