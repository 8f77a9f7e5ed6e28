import type { Json } from '#domain/observation/observation.js';
import { MAX_HISTORY_TEXT, MAX_PERIODS, type Period } from './state.js';

/** The newest periods, as many as the bounds on their number and on the size of their values allow; at least one. */
export function newestPeriods(history: readonly Period[]): Period[] {
  let size = 0;
  let kept = 0;
  for (const { value } of history.slice(-MAX_PERIODS).reverse()) {
    size += sizeOf(value);
    if (kept > 0 && size > MAX_HISTORY_TEXT) break;
    kept += 1;
  }
  return history.slice(history.length - kept);
}

function sizeOf(value: Json): number {
  return typeof value === 'string' ? value.length : JSON.stringify(value).length;
}
