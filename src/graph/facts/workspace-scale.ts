import { DEFAULT_SCALE, type Scale } from '#domain/score/bands.js';

let scales: ReadonlyMap<string, Scale> = new Map();

/** What a workspace calls the scores of its leads, as this process knows it; see `ScaleBook`. */
export function scaleOf(workspace: string): Scale {
  return scales.get(workspace) ?? DEFAULT_SCALE;
}

/** Remembers the scales of all workspaces that have one of their own. */
export function rememberScales(all: ReadonlyMap<string, Scale>): void {
  scales = all;
}
