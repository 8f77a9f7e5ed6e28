import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../schema.js';
import type { TestGraph } from './test-graph.js';
import type { TestStore } from './test-store.js';

/** Data that deliveries have written to the hub. */
export interface SideEffects {
  readonly observations: TestGraph['observations'];
  readonly notes: TestGraph['notes'];
  readonly store: Readonly<Record<string, Json>>;
}

/** Captures the current data. */
export function captureSideEffects(graph: TestGraph, store: TestStore): SideEffects {
  return { observations: [...graph.observations], notes: [...graph.notes], store: store.entries() };
}

/** Describes the changes between two captures, one phrase each; empty if nothing changed. */
export function diffSideEffects(before: SideEffects, after: SideEffects): string[] {
  const observations = after.observations.slice(before.observations.length);
  const notes = after.notes.slice(before.notes.length);
  const keys = [...new Set([...Object.keys(before.store), ...Object.keys(after.store)])];
  const changed = keys.filter(key => !isDeepStrictEqual(before.store[key], after.store[key]));
  return [
    ...observations.map(
      ({ property, subject, external_id }) =>
        `another ${property} of ${subject}` +
        (external_id ? ` (its external_id "${external_id}" must be the same each time)` : ' (it needs an external_id)'),
    ),
    ...notes.map(({ title }) => `another note "${title}" (it needs an external_id that is the same each time)`),
    ...changed.map(key => `another value under "${key}" in the store`),
  ];
}
