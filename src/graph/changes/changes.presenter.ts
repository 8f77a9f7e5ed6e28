import type { EntityType } from '#domain/identity/focus.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { toIso } from '#domain/time/instant.js';
import type { PresentedClaim } from '../accounts/accounts.presenter.js';
import type { ChangeRow, ExternalIdRow } from './changes.queries.js';

/** The kinds of changes. */
export const CHANGE_KINDS = ['claim', 'event', 'merge', 'unmerge', 'erasure'] as const;

/** Kind of a change. */
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The ID of an entity in another system. */
export interface PresentedExternalId {
  readonly system: string;
  readonly id: string;
}

/** The entity that changed. */
interface PresentedChangedEntity {
  /** Canonical ID. */
  readonly entity_id: string;
  readonly type: EntityType;
  readonly external_ids: readonly PresentedExternalId[];
  /** Time of the change, ISO 8601. */
  readonly at: string;
}

/** Something was stated about a property: its claim as it is now. */
export interface PresentedClaimChange extends PresentedChangedEntity {
  readonly kind: 'claim';
  readonly property: string;
  /** Null if the fact has ended. */
  readonly value: JsonValue;
  readonly confidence: number;
  readonly freshness: string;
  readonly epistemic_class: string;
  /** Source and method of the strongest support. */
  readonly source: string | null;
  readonly method: string | null;
  /** Time of the newest support, ISO 8601. */
  readonly observed_at: string;
}

/** Something happened. */
export interface PresentedEventChange extends PresentedChangedEntity {
  readonly kind: 'event';
  readonly observation_id: string;
  readonly property: string;
  readonly value: JsonValue;
  readonly source: string;
  readonly method: string;
  readonly observed_at: string;
  readonly external_id: string | null;
}

/** Two entities were merged into `entity_id`, or are two again. */
export interface PresentedMergeChange extends PresentedChangedEntity {
  readonly kind: 'merge' | 'unmerge';
  readonly other_entity_id: string;
  readonly source: string;
}

/** A person was erased. */
export interface PresentedErasureChange extends PresentedChangedEntity {
  readonly kind: 'erasure';
  /** All IDs that the person had. */
  readonly erased_ids: readonly string[];
}

/** A change of the graph. */
export type PresentedChange =
  | PresentedClaimChange
  | PresentedEventChange
  | PresentedMergeChange
  | PresentedErasureChange;

/** A page of changes. */
export interface ChangesResponse {
  readonly changes: readonly PresentedChange[];
  readonly limit: number;
  readonly has_more: boolean;
  readonly next_cursor: string;
}

/** Groups IDs in other systems by entity. */
export function presentExternalIds(rows: readonly ExternalIdRow[]): ReadonlyMap<string, PresentedExternalId[]> {
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
export function presentClaimChange(row: ChangeRow, claim: PresentedClaim): Omit<PresentedClaimChange, 'external_ids'> {
  const { property, value, confidence, freshness, epistemic_class, last_observed_at, sources } = claim;
  const { source = null, method = null } = sources[0] ?? {};
  const about = { entity_id: row.entity_id, type: row.type, at: toIso(row.at) };
  const fact = { property, value, confidence, freshness, epistemic_class, source, method };
  return { kind: 'claim', ...about, ...fact, observed_at: last_observed_at };
}

/** Converts a row to a change that is not of a claim. */
export function presentChangeRow(
  row: ChangeRow,
):
  | Omit<PresentedEventChange, 'external_ids'>
  | Omit<PresentedMergeChange, 'external_ids'>
  | Omit<PresentedErasureChange, 'external_ids'> {
  const about = { entity_id: row.entity_id, type: row.type, at: toIso(row.at) };
  if (row.origin === 'erasure') return { kind: 'erasure', ...about, erased_ids: row.erased_ids! };
  const source = row.source!;
  if (row.origin !== 'observation') return { kind: row.origin, ...about, other_entity_id: row.other_id!, source };
  const { id: observation_id, value, external_id } = row;
  const fact = { observation_id, property: row.property!, value, source, method: row.method!, external_id };
  return { kind: 'event', ...about, ...fact, observed_at: toIso(row.observed_at!) };
}
