import { excerptOf } from '#domain/observation/excerpt.js';

/** What is wrong within a value: where, as in `a.b[2]` (empty: the value itself), and what. */
export interface Flaw {
  readonly path: string;
  readonly what: 'too deep' | 'no number';
}

/** The first value that lies inside more than `levels` objects and lists, or a number that is none: 1e400 is read as infinite. */
export function flawIn(value: unknown, levels: number): Flaw | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { path: '', what: 'no number' };
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return { path: '', what: 'too deep' };
  if (Array.isArray(value)) {
    for (let place = 0; place < value.length; place++) {
      const flaw = flawIn(value[place], levels - 1);
      if (flaw) return { ...flaw, path: below(`[${place}]`, flaw.path) };
    }
    return undefined;
  }
  for (const name in value) {
    const flaw = flawIn((value as Record<string, unknown>)[name], levels - 1);
    if (flaw) return { ...flaw, path: below(name, flaw.path) };
  }
  return undefined;
}

/** The path of the first name or text with a NUL or half a surrogate pair in it, such as `a.b[2]`; else undefined. */
export function unstorableText(value: unknown): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : '';
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, held] of Object.entries(value)) {
    if (!isStorable(name)) return excerptOf(name);
    const found = unstorableText(held);
    if (found !== undefined) return below(Array.isArray(value) ? `[${name}]` : name, found);
  }
  return undefined;
}

/** The path of the first name that would reach a prototype, such as `a.__proto__`; else undefined. */
export function prototypeName(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, held] of Object.entries(value)) {
    const reaches = name === 'constructor' && typeof held === 'object' && held !== null && 'prototype' in held;
    if (name === '__proto__' || reaches) return name;
    const found = prototypeName(held);
    if (found !== undefined) return below(Array.isArray(value) ? `[${name}]` : name, found);
  }
  return undefined;
}

function below(step: string, path: string): string {
  return path === '' || path.startsWith('[') ? step + path : `${step}.${path}`;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
