import type { Layer, Missing } from '#domain/score/layer.js';
import { LAYERS } from '#domain/score/model.js';
import type { ShownScore } from './shown-score.js';

/** The JSON of a score. What leads of one list share is written once. */
export function textOf({ layers, missing, ...rest }: ShownScore): string {
  const told = LAYERS.map(name => `"${name}":${textOfLayer(layers[name])}`).join(',');
  return `${JSON.stringify(rest).slice(0, -1)},"layers":{${told}},"missing":${textOfMissing(missing)}}`;
}

function textOfLayer(layer: Layer): string {
  const { status, score, coverage, trust, reasons } = layer;
  if (reasons.length > 0) return JSON.stringify(layer);
  return `{"status":"${status}","score":${score},"coverage":${coverage},"trust":${trust},"reasons":[]}`;
}

const known = new WeakMap<readonly Missing[], string>();

function textOfMissing(missing: readonly Missing[]): string {
  let text = known.get(missing);
  if (text === undefined) known.set(missing, (text = JSON.stringify(missing)));
  return text;
}
