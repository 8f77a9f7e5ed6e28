import type { Json } from '#domain/observation/observation.js';

/** More paths than this are not told. */
export const MAX_PATHS = 200;

/** The path of the content as a whole. */
export const ROOT = '$';

/**
 * Where two versions of a content differ: paths such as `fit[0].weight`, in order of reading, at most `MAX_PATHS`;
 * `$` where the whole is another. What was added or removed is named by its outermost path. Empty for equal contents.
 */
export function changedPaths(before: Json | undefined, after: Json): string[] {
  const paths: string[] = [];
  collect(before, after, '', paths);
  return paths;
}

function collect(before: Json | undefined, after: Json | undefined, path: string, paths: string[]): void {
  if (paths.length >= MAX_PATHS || before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    const longest = Math.max(before.length, after.length);
    for (let i = 0; i < longest; i++) collect(before[i], after[i], `${path}[${i}]`, paths);
  } else if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      collect(own(before, key), own(after, key), path === '' ? key : `${path}.${key}`, paths);
    }
  } else {
    paths.push(path === '' ? ROOT : path);
  }
}

function own(object: Record<string, Json>, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function isObject(value: Json | undefined): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
