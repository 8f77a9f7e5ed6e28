import type { LayerWork, Missing, Unlooked } from './layer.js';
import { type IcpModel, type LayerName, LAYERS } from './model.js';

/** Most entries of the worklist. */
export const MAX_MISSING = 50;

/** Worklists that are remembered of a model: leads of one list lack the same few things. */
const MAX_KNOWN = 500;

const known = new WeakMap<IcpModel, Map<string, readonly Missing[]>>();

/**
 * What to find out next: one entry per layer, property and subject, by how many points of priority hang on it:
 * 100 * weight of the layer * weight of its rules / weight of all rules of the layer. Ties keep the order of layers.
 * Leads that lack the same have the same list.
 */
export function missingOf(model: IcpModel, work: Readonly<Record<LayerName, LayerWork>>): readonly Missing[] {
  let lists = known.get(model);
  if (!lists) known.set(model, (lists = new Map()));
  const key = LAYERS.map(name => work[name].lacks).join('/');
  let missing = lists.get(key);
  if (!missing) {
    if (lists.size >= MAX_KNOWN) lists.clear();
    lists.set(key, (missing = worklistOf(model, work)));
  }
  return missing;
}

function worklistOf({ weights }: IcpModel, work: Readonly<Record<LayerName, LayerWork>>): Missing[] {
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

const marks: Readonly<Record<Unlooked['reason'], Readonly<Record<Unlooked['source'], string>>>> = {
  absent: { enrich: 'a', research: 'b', ask: 'c' },
  expired: { enrich: 'd', research: 'e', ask: 'f' },
  contested: { enrich: 'g', research: 'h', ask: 'i' },
  low_confidence: { enrich: 'j', research: 'k', ask: 'l' },
};

/** One letter for why a rule could not be looked at, `-` for one that was: what `LayerWork.lacks` is made of. */
export function markOf(lack: Pick<Unlooked, 'reason' | 'source'> | undefined): string {
  return lack ? marks[lack.reason][lack.source] : '-';
}

/** What is known but not good enough is verified; what is not known at all is looked up where such facts stand. */
function howOf({ reason, source }: Unlooked): Missing['how'] {
  return reason === 'absent' ? source : 'verify';
}
