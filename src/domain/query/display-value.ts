import type { JsonValue } from '#domain/observation/observation.js';
import { toPlainText } from '#domain/observation/summary.js';

/** What is said of a property, as people read it, on one line. A score is its play and its priority: `work now, 72`. */
export function formatDisplayValue(property: string, value: JsonValue, longest?: number): string {
  return toPlainText(property === 'lead_score' ? describeScore(value) : value, longest);
}

/** Whatever else was recorded under the name of a score is told as it is. */
function describeScore(value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const { play, priority } = value;
  if (typeof play !== 'string') return value;
  return typeof priority === 'number' ? `${play}, ${priority}` : `${play}, not ranked yet`;
}
