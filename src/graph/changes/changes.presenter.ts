import { toIso } from '#domain/time/instant.js';
import type { Change, ChangedEntity, ClaimChange } from '#sdk/ports/changes.js';
import type { PresentedClaim } from '../accounts/accounts.presenter.js';
import type { ChangeRow, ExternalIdRow } from './changes.queries.js';

/** The kinds of changes. */
export const CHANGE_KINDS = [
  'claim',
  'event',
  'retraction',
  'merge',
  'unmerge',
  'erasure',
] as const satisfies readonly Change['kind'][];

/** Kind of a change. */
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A page of changes. */
export interface ChangesResponse {
  readonly changes: readonly Change[];
  readonly limit: number;
  readonly has_more: boolean;
  readonly next_cursor: string;
}

/** Groups IDs in other systems by entity. */
export function presentExternalIds(rows: readonly ExternalIdRow[]): ReadonlyMap<string, ChangedEntity['external_ids']> {
  const byEntity = Map.groupBy(rows, row => row.entity_id);
  return new Map(
    [...byEntity].map(([entityId, own]) => [
      entityId,
      own.map(({ value }) => {
        const end = value.indexOf(':');
        return { system: value.slice(0, end), id: value.slice(end + 1) };
      }),
    ]),
  );
}

/** Converts a row about an entity to the change of its claim. */
export function presentClaimChange(row: ChangeRow, claim: PresentedClaim): Omit<ClaimChange, 'external_ids'> {
  const { property, value, confidence, freshness, epistemic_class, last_observed_at, sources } = claim;
  const { source = null, method = null } = sources[0] ?? {};
  const about = { entity_id: row.entity_id, type: row.type, at: toIso(row.at) };
  const fact = { property, value, confidence, freshness, epistemic_class, source, method };
  return { kind: 'claim', ...about, ...fact, observed_at: last_observed_at };
}

type WithoutExternalIds<T> = T extends unknown ? Omit<T, 'external_ids'> : never;

/** Converts a row to a change that is not of a claim. */
export function presentChangeRow(row: ChangeRow): WithoutExternalIds<Exclude<Change, ClaimChange>> {
  const about = { entity_id: row.entity_id, type: row.type, at: toIso(row.at) };
  if (row.origin === 'erasure') return { kind: 'erasure', ...about, erased_ids: row.erased_ids! };
  const source = row.source!;
  if (row.origin === 'retraction')
    return { kind: 'retraction', ...about, observation_id: row.id, property: row.property!, source };
  if (row.origin !== 'observation') return { kind: row.origin, ...about, other_entity_id: row.other_id!, source };
  const { id: observation_id, value, external_id } = row;
  const fact = { observation_id, property: row.property!, value, source, method: row.method!, external_id };
  return { kind: 'event', ...about, ...fact, observed_at: toIso(row.observed_at!) };
}
