/** Returns a value of a claim as text; empty for null. An object becomes its fields, such as "priority 80, play nurture". */
export function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(toText).join(', ');
  return typeof value === 'object' ? toFields(value).join(', ') : String(value);
}

function toFields(value: object): string[] {
  return Object.entries(value).flatMap(([name, field]) => {
    const text = toText(field);
    return text === '' ? [] : [`${name.replaceAll('_', ' ')} ${text}`];
  });
}
