import type { JsonValue } from '#domain/observation/observation.js';
import { MAX_HISTORY_LENGTH, MAX_PERIODS, type ValuePeriod } from './property-state.js';

/** Returns the newest periods within the bounds on their number and total size; at least one. */
export function keepNewestPeriods(history: readonly ValuePeriod[]): ValuePeriod[] {
  let size = 0;
  let kept = 0;
  for (const { value } of history.slice(-MAX_PERIODS).reverse()) {
    size += jsonLength(value);
    if (kept > 0 && size > MAX_HISTORY_LENGTH) break;
    kept += 1;
  }
  return history.slice(history.length - kept);
}

function jsonLength(value: JsonValue): number {
  return typeof value === 'string' ? value.length : JSON.stringify(value).length;
}
