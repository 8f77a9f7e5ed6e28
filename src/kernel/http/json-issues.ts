import { truncate } from '#domain/observation/truncate.js';

/**
 * Returns the path of the first infinite number, such as `a.b[2]` (empty for the value itself): 1e400 is parsed as
 * Infinity.
 */
export function infiniteNumberPath(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : '';
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const path = infiniteNumberPath(value[i]);
      if (path !== undefined) return joinPath(`[${i}]`, path);
    }
    return undefined;
  }
  for (const name in value) {
    const path = infiniteNumberPath((value as Record<string, unknown>)[name]);
    if (path !== undefined) return joinPath(name, path);
  }
  return undefined;
}

/**
 * Returns the path of the first name or text with a NUL or a lone surrogate, such as `a.b[2]`; undefined if there is
 * none.
 */
export function findUnstorableText(value: unknown): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : '';
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    if (!isStorable(name)) return truncate(name);
    const found = findUnstorableText(member);
    if (found !== undefined) return joinPath(Array.isArray(value) ? `[${name}]` : name, found);
  }
  return undefined;
}

/**
 * Returns the path of the first name that would reach a prototype, such as `a.__proto__`; undefined if there is none.
 */
export function findPrototypeName(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const reaches = name === 'constructor' && typeof member === 'object' && member !== null && 'prototype' in member;
    if (name === '__proto__' || reaches) return name;
    const found = findPrototypeName(member);
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
