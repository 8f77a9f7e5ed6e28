/** Returns a value of a claim as text; empty for null. An object becomes its fields, a score its play and priority. */
export function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(toText).join(', ');
  if (typeof value !== 'object') return String(value);
  if ('play' in value && 'priority' in value)
    return toFields({ play: value.play, priority: value.priority }).join(', ');
  return toFields(value).join(', ');
}

function toFields(value: object): string[] {
  return Object.entries(value).flatMap(([name, field]) => {
    const text = toText(field);
    return text === '' ? [] : [`${name.replaceAll('_', ' ')} ${text}`];
  });
}
