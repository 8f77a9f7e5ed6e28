import type { Chip } from '../lists/search.ts';
import { type Window, WINDOWS } from './renewal.ts';

/** Lists whose facts are counted. */
export const SUBJECTS = ['people', 'companies'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** Reads the address of the conflicts; `item` is the one that is open. */
export function readConflictsSearch(search: Readonly<Record<string, unknown>>): { item?: string | undefined } {
  const { item } = search;
  return { item: typeof item === 'string' ? item : undefined };
}

/** Reads the address of the decaying facts; an unknown window is left out. */
export function readDecayingSearch(search: Readonly<Record<string, unknown>>): { window?: Window | undefined } {
  return { window: WINDOWS.find(each => each === search['window']) };
}

/** Reads the address of the provenance map; an unknown subject is left out. */
export function readProvenanceSearch(search: Readonly<Record<string, unknown>>): { of?: Subject | undefined } {
  return { of: SUBJECTS.find(each => each === search['of']) };
}

/** Returns the conditions of a list that find the facts of a source to renew. */
export function toRenewalChips(property: string, source: string, window: Window): readonly Chip[] {
  const known: Chip = { property, condition: 'exists', value: '' };
  const ofSource: Chip = { property, condition: 'source', value: source };
  if (window === 'past') return [known, { property, condition: 'stale', value: '' }, ofSource];
  const fresh: Chip = { property, condition: 'freshness', value: 'fresh' };
  return [known, fresh, { property, condition: 'due', value: window }, ofSource];
}
