import type { LayerWork, Missing, Unlooked } from './layer.js';
import { type IcpModel, type LayerName, LAYERS } from './model.js';

/** Most entries of the worklist. */
export const MAX_MISSING = 50;

/**
 * What to find out next: one entry per layer, property and subject, by how many points of priority hang on it:
 * 100 * weight of the layer * weight of its rules / weight of all rules of the layer. Ties keep the order of layers.
 */
export function missingOf({ weights }: IcpModel, work: Readonly<Record<LayerName, LayerWork>>): Missing[] {
  const all = LAYERS.flatMap(layer => ofLayer(layer, work[layer], weights[layer]));
  return all.toSorted((a, b) => b.gain - a.gain).slice(0, MAX_MISSING);
}

function ofLayer(layer: LayerName, { looked, unlooked }: LayerWork, layerWeight: number): Missing[] {
  const all = [...looked, ...unlooked].reduce((sum, { weight }) => sum + weight, 0);
  const byFact = Map.groupBy(unlooked, ({ on, property }) => `${on} ${property}`);
  return [...byFact.values()].map(rules => {
    const weight = rules.reduce((sum, rule) => sum + rule.weight, 0);
    const gain = all > 0 ? Math.round((10_000 * layerWeight * weight) / all) / 100 : 0;
    const { property, on, reason } = rules[0]!;
    return { layer, property, on, gain, how: howOf(rules[0]!), reason };
  });
}

/** What is known but not good enough is verified; what is not known at all is looked up where such facts stand. */
function howOf({ reason, source }: Unlooked): Missing['how'] {
  return reason === 'absent' ? source : 'verify';
}
