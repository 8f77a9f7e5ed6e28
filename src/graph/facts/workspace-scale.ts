import { DEFAULT_SCALE, type ScoreScale } from '#domain/score/bands.js';

let scales: ReadonlyMap<string, ScoreScale> = new Map();

/** Returns the tiers and bands of a workspace as this process has cached them; see `ScaleCache`. */
export function scaleOf(workspace: string): ScoreScale {
  return scales.get(workspace) ?? DEFAULT_SCALE;
}

/** Replaces the cached scales of all workspaces. */
export function cacheScales(all: ReadonlyMap<string, ScoreScale>): void {
  scales = all;
}
