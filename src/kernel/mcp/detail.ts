import { z } from 'zod';

/**
 * Level of detail of a tool result: `brief` for the fields that are needed to act, `full` for everything that the
 * REST counterpart returns.
 */
export const detail = z.enum(['brief', 'full']).default('brief').describe('full returns every field.');

/** A value of {@link detail}. */
export type DetailLevel = z.output<typeof detail>;

/**
 * Trims a result to the requested level of detail. A brief result omits the fields at `paths`: names joined by dots,
 * where `*` stands for every item of an array or every entry of a map, as in `claims.*.sources`.
 */
export function trimToDetail<T extends object>(result: T, level: DetailLevel, paths: readonly string[]): T {
  if (level === 'full') return result;
  return paths.reduce((trimmed, path) => omitPath(trimmed, path.split('.')), result as unknown) as T;
}

/** Copies only the nodes on the path, because results may be shared with other callers. */
function omitPath(node: unknown, [step, ...rest]: readonly string[]): unknown {
  if (typeof node !== 'object' || node === null || step === undefined) return node;
  if (step === '*' && Array.isArray(node)) return node.map(item => omitPath(item, rest));
  if (step === '*') return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, omitPath(value, rest)]));
  if (!Object.hasOwn(node, step)) return node;
  const { [step]: value, ...others } = node as Record<string, unknown>;
  return rest.length === 0 ? others : { ...node, [step]: omitPath(value, rest) };
}
