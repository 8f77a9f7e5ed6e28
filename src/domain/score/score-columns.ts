import type { JsonValue } from '../observation/observation.js';
import { containsAny, matchRule } from './match-rule.js';
import type { IcpModel, RuleCondition, ScoreRule } from './model.js';
import { isDenial, KEYWORD_PROPERTIES } from './pain-layer.js';
import { formatReason } from './reason-text.js';
import { parseSeniority } from './seniority.js';

/** Maximum number of cached values per column, as many as a list can have, and their maximum length. */
const MAX_CACHED_VALUES = 1000;
const MAX_CACHED_LENGTH = 80;

/** Maximum number of distinct kinds per column. */
const MAX_KINDS = 1000;

/** Sentinel (NaN) for values beyond the limit of kinds; never equal to anything. */
export const UNCACHED = NaN;

/** A condition of a rule on the values of a column, or on what these imply for another property. */
export interface ColumnRule {
  readonly rule: ScoreRule;
  readonly condition: RuleCondition;
  readonly read: (value: JsonValue) => JsonValue | undefined;
}

/** The matches of a model's rules with one property of leads, by value. */
export class ScoreColumn {
  private readonly cache = new Map<string | number, ColumnMatch>();
  /** Kinds by the combined match keys of all rules. */
  private readonly kinds = new Map<string, number>();

  /**
   * @param rules rules whose match matters.
   * @param words words of each hint.
   */
  constructor(
    private readonly rules: readonly ColumnRule[],
    private readonly words: readonly (readonly string[])[],
  ) {}

  /** Returns the match of all rules with a value. */
  match(value: JsonValue): ColumnMatch {
    if (!isCacheable(value)) return this.computeMatch(value);
    let finding = this.cache.get(value);
    if (!finding) {
      finding = this.computeMatch(value);
      if (this.cache.size < MAX_CACHED_VALUES) this.cache.set(value, finding);
    }
    return finding;
  }

  private computeMatch(value: JsonValue): ColumnMatch {
    let mark = isDenial(value) ? 'n' : 'y';
    for (const { condition, read } of this.rules) {
      const fact = read(value);
      mark += formatMatchKey(fact === undefined ? undefined : matchRule(condition, fact));
    }
    for (const words of this.words) mark += containsAny(value, words) ? '+' : '-';
    return new ColumnMatch(this.findKind(mark), value);
  }

  private findKind(mark: string): number {
    const kind = this.kinds.get(mark);
    if (kind !== undefined) return kind;
    if (this.kinds.size >= MAX_KINDS) return UNCACHED;
    this.kinds.set(mark, this.kinds.size);
    return this.kinds.size - 1;
  }
}

/** The match of a column's rules with a value. */
export class ColumnMatch {
  private reasonCache: Map<ScoreRule, string> | undefined;

  /** @param kind values of the same kind match all rules of the column equally. */
  constructor(
    readonly kind: number,
    private readonly value: JsonValue,
  ) {}

  /** Returns the reason of a rule, escaped for use within a JSON string. Cached. */
  reasonText(columnRule: ColumnRule): string {
    this.reasonCache ??= new Map();
    let sentence = this.reasonCache.get(columnRule.rule);
    if (sentence === undefined) {
      sentence = JSON.stringify(this.formatReason(columnRule)).slice(1, -1);
      this.reasonCache.set(columnRule.rule, sentence);
    }
    return sentence;
  }

  private formatReason({ rule, read }: ColumnRule): string {
    const value = read(this.value)!;
    return formatReason(rule, value, matchRule(rule, value)!);
  }
}

function isCacheable(value: JsonValue): value is string | number {
  return typeof value === 'string' ? value.length <= MAX_CACHED_LENGTH : typeof value === 'number';
}

/** Encodes a match as one character, or more for partial matches. */
function formatMatchKey(match: number | undefined): string {
  if (match === undefined) return '?';
  if (match === 1) return '+';
  return match === 0 ? '-' : `${match};`;
}

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

/** Returns what a rule reads: the properties of its conditions, and for seniority also the title. */
export function listRuleSources(rule: ScoreRule): (ColumnRule & { readonly property: string })[] {
  return [rule, ...rule.and].flatMap(condition => {
    const { on, property } = condition;
    const own = { rule, condition, property, read: identity };
    const ranks = on === 'person' && property === 'seniority';
    return ranks ? [own, { rule, condition, property: 'title', read: toRank }] : [own];
  });
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
