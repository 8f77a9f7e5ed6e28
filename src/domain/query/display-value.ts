import type { JsonValue } from '#domain/observation/observation.js';
import { toPlainText } from '#domain/observation/summary.js';

/** Formats the value of a property on one line. A score is formatted as play and priority: `work now, 72`. */
export function formatDisplayValue(property: string, value: JsonValue, longest?: number): string {
  return toPlainText(property === 'lead_score' ? describeScore(value) : value, longest);
}

/** Values that are not in the format of a score are returned unchanged. */
function describeScore(value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const { play, priority } = value;
  if (typeof play !== 'string') return value;
  return typeof priority === 'number' ? `${play}, ${priority}` : `${play}, not ranked yet`;
}
