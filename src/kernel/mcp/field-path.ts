/** Formats `['observations', 3, 'kind']` as `observations[3].kind`. */
export function formatFieldPath(path: readonly PropertyKey[]): string {
  const name = path.reduce<string>((before, key) => {
    if (/^\d+$/.test(String(key))) return `${before}[${String(key)}]`;
    return before === '' ? String(key) : `${before}.${String(key)}`;
  }, '');
  return name === '' ? '(arguments)' : name;
}
