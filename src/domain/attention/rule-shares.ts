import type { BuiltInRule, IcpModel, ScoreRule } from '#domain/score/model.js';

/** Properties that the built-in rules read. */
const BUILT_IN_PROPERTIES: Readonly<Record<BuiltInRule['builtIn'], readonly string[]>> = {
  seniority: ['title'],
  budget: ['budget'],
  timeline: ['timeline'],
  channel: ['email', 'phone'],
};

/**
 * Returns the share of each property in the rule weights of its layer, 0..1. Of several layers the greatest share
 * counts.
 */
export function computeRuleShares({ fit, ability }: IcpModel): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  for (const rules of [fit, ability]) {
    const all = rules.reduce((sum, { weight }) => sum + Math.max(0, weight), 0);
    for (const [property, weight] of sumWeights(rules)) {
      const share = all > 0 ? Math.max(0, weight) / all : 0;
      shares.set(property, Math.max(share, shares.get(property) ?? 0));
    }
  }
  return shares;
}

function sumWeights(rules: readonly (ScoreRule | BuiltInRule)[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const rule of rules) {
    for (const property of 'builtIn' in rule ? BUILT_IN_PROPERTIES[rule.builtIn] : [rule.property]) {
      weights.set(property, (weights.get(property) ?? 0) + rule.weight);
    }
  }
  return weights;
}
