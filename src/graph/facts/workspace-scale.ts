import { DEFAULT_SCALE, type ScoreScale } from '#domain/score/bands.js';

let scales: ReadonlyMap<string, ScoreScale> = new Map();

/** What a workspace calls the scores of its leads, as this process knows it; see `ScaleBook`. */
export function scaleOf(workspace: string): ScoreScale {
  return scales.get(workspace) ?? DEFAULT_SCALE;
}

/** Remembers the scales of all workspaces that have one of their own. */
export function cacheScales(all: ReadonlyMap<string, ScoreScale>): void {
  scales = all;
}
