import type { Actor } from '#domain/actor/actor.js';
import { toIso } from '#domain/time/instant.js';
import { ERASURE_COUNTS, type ErasureCount, type ErasureCounts } from './erasure-phase.js';
import type { ErasureRow } from './erasures.queries.js';

/** An erasure, or the plan of one. */
export interface ErasureResponse {
  /** Null in a dry run. */
  readonly id: string | null;
  readonly entity_id: string;
  /** Other ids that the person had. */
  readonly merged_ids: readonly string[];
  readonly state: 'planned' | ErasureRow['state'];
  /** Whether the identifiers of the person are refused. */
  readonly suppressed: boolean;
  readonly actor: Actor | null;
  readonly counts: Readonly<Record<ErasureCount, number>>;
  readonly requested_at: string | null;
  readonly finished_at: string | null;
  readonly dry_run?: true;
}

/** A page of erasures. */
export interface ErasurePage {
  readonly erasures: readonly ErasureResponse[];
  readonly limit: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** Converts a stored erasure for the API. */
export function presentErasure(row: ErasureRow): ErasureResponse {
  return {
    id: row.id,
    entity_id: row.entity_id,
    merged_ids: row.entity_ids.filter(id => id !== row.entity_id),
    state: row.state,
    suppressed: row.suppressed,
    actor: { kind: row.actor_kind, id: row.actor_id },
    counts: fillCounts(row.counts),
    requested_at: toIso(row.requested_at),
    finished_at: row.finished_at === null ? null : toIso(row.finished_at),
  };
}

/** Returns the response of a dry run. @param ids all ids of the person, the canonical one first. */
export function presentPlan(ids: readonly string[], counts: ErasureCounts, suppressed: boolean): ErasureResponse {
  const [entityId, ...merged] = ids;
  return {
    id: null,
    entity_id: entityId!,
    merged_ids: merged,
    state: 'planned',
    suppressed,
    actor: null,
    counts: fillCounts(counts),
    requested_at: null,
    finished_at: null,
    dry_run: true,
  };
}

function fillCounts(counts: ErasureCounts): Record<ErasureCount, number> {
  return Object.fromEntries(ERASURE_COUNTS.map(kind => [kind, counts[kind] ?? 0])) as Record<ErasureCount, number>;
}
