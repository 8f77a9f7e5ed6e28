import { z } from 'zod';

/** How much a tool tells: what is needed to act, or everything that its REST twin answers. */
export const detail = z.enum(['brief', 'full']).default('brief');

/** One of the two. */
export type DetailLevel = z.output<typeof detail>;

/**
 * An answer as detailed as was asked for. A brief one leaves out the fields at `paths`: names joined by dots, where
 * `*` stands for every item of an array or every entry of a map, as in `claims.*.sources`.
 */
export function trimToDetail<T extends object>(answer: T, level: DetailLevel, paths: readonly string[]): T {
  if (level === 'full') return answer;
  return paths.reduce((kept, path) => omitPath(kept, path.split('.')), answer as unknown) as T;
}

/** Copies only what is on the way, since answers may be shared with other callers. */
function omitPath(node: unknown, [step, ...onward]: readonly string[]): unknown {
  if (typeof node !== 'object' || node === null || step === undefined) return node;
  if (step === '*' && Array.isArray(node)) return node.map(item => omitPath(item, onward));
  if (step === '*') return Object.fromEntries(Object.entries(node).map(([key, held]) => [key, omitPath(held, onward)]));
  if (!Object.hasOwn(node, step)) return node;
  const { [step]: held, ...others } = node as Record<string, unknown>;
  return onward.length === 0 ? others : { ...node, [step]: omitPath(held, onward) };
}
