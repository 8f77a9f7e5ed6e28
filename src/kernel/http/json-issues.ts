import { truncate } from '#domain/observation/truncate.js';

/** Returns the path of the first number that is none, such as `a.b[2]` (empty: the value itself): 1e400 is read as infinite. */
export function infiniteNumberPath(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : '';
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    for (let place = 0; place < value.length; place++) {
      const path = infiniteNumberPath(value[place]);
      if (path !== undefined) return joinPath(`[${place}]`, path);
    }
    return undefined;
  }
  for (const name in value) {
    const path = infiniteNumberPath((value as Record<string, unknown>)[name]);
    if (path !== undefined) return joinPath(name, path);
  }
  return undefined;
}

/** The path of the first name or text with a NUL or half a surrogate pair in it, such as `a.b[2]`; else undefined. */
export function findUnstorableText(value: unknown): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : '';
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, held] of Object.entries(value)) {
    if (!isStorable(name)) return truncate(name);
    const found = findUnstorableText(held);
    if (found !== undefined) return joinPath(Array.isArray(value) ? `[${name}]` : name, found);
  }
  return undefined;
}

/** The path of the first name that would reach a prototype, such as `a.__proto__`; else undefined. */
export function findPrototypeName(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, held] of Object.entries(value)) {
    const reaches = name === 'constructor' && typeof held === 'object' && held !== null && 'prototype' in held;
    if (name === '__proto__' || reaches) return name;
    const found = findPrototypeName(held);
    if (found !== undefined) return joinPath(Array.isArray(value) ? `[${name}]` : name, found);
  }
  return undefined;
}

function joinPath(step: string, path: string): string {
  return path === '' || path.startsWith('[') ? step + path : `${step}.${path}`;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
