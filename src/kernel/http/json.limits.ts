/** Whether objects and lists lie inside each other more than `levels` deep. */
export function nestsDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some(item => nestsDeeperThan(item, levels - 1));
  for (const name in value) {
    if (nestsDeeperThan((value as Record<string, unknown>)[name], levels - 1)) return true;
  }
  return false;
}

/** The path of the first name or text with a NUL or half a surrogate pair in it, such as `a.b[2]`; else undefined. */
export function unstorableText(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, held] of Object.entries(value)) {
    if (!isStorable(name)) return path;
    const found = unstorableText(held, Array.isArray(value) ? `${path}[${name}]` : path ? `${path}.${name}` : name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
