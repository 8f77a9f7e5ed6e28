import type { JsonValue } from '#domain/observation/observation.js';

/** Maximum number of paths returned. */
export const MAX_CHANGED_PATHS = 200;

/** Path of the content as a whole. */
export const ROOT_PATH = '$';

/**
 * Returns the paths at which two versions differ, such as `fit[0].weight`, in reading order, at most {@link
 * MAX_CHANGED_PATHS}; `$` if the whole content differs. Added and removed parts are named by their outermost path.
 * Empty for equal contents.
 */
export function listChangedPaths(before: JsonValue | undefined, after: JsonValue): string[] {
  const paths: string[] = [];
  collect(before, after, '', paths);
  return paths;
}

function collect(before: JsonValue | undefined, after: JsonValue | undefined, path: string, paths: string[]): void {
  if (paths.length >= MAX_CHANGED_PATHS || before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    const longest = Math.max(before.length, after.length);
    for (let i = 0; i < longest; i++) collect(before[i], after[i], `${path}[${i}]`, paths);
  } else if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      collect(getOwn(before, key), getOwn(after, key), path === '' ? key : `${path}.${key}`, paths);
    }
  } else {
    paths.push(path === '' ? ROOT_PATH : path);
  }
}

function getOwn(object: Record<string, JsonValue>, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function isObject(value: JsonValue | undefined): value is Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
