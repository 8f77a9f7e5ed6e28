import type { Tx } from '#kernel/db/transaction.js';

/** What a merge moves from one entity to the other. */
export interface MergeEffects {
  readonly identifiers_moved: number;
  readonly observations_moved: number;
  /** Properties that only the dropped entity has claims on. */
  readonly claims_moved: number;
  /** Properties that both have claims on, with different values. */
  readonly claims_conflicted: number;
  /** People who work for the dropped company. */
  readonly relationships_repointed: number;
}

/**
 * Counts the effects of a merge before it is made.
 * @param keep canonical id of the entity that keeps its id.
 * @param drop canonical id of the other one.
 * @param members ids of the members of the dropped cluster.
 */
export async function countMergeEffects(
  tx: Tx,
  keep: string,
  drop: string,
  members: readonly string[],
): Promise<MergeEffects> {
  const [effects] = await tx.query<MergeEffects>(
    `SELECT
       (SELECT count(*)::int FROM identifiers WHERE workspace_id = $1 AND entity_id = ANY ($4)) AS identifiers_moved,
       (SELECT count(*)::int FROM observations WHERE workspace_id = $1 AND entity_id = ANY ($4)) AS observations_moved,
       count(*) FILTER (WHERE target.property IS NULL)::int AS claims_moved,
       count(*) FILTER (WHERE target.property IS NOT NULL AND target.value IS DISTINCT FROM source.value
                          AND target.text_value IS DISTINCT FROM source.text_value)::int AS claims_conflicted,
       (SELECT count(*)::int FROM entities WHERE workspace_id = $1 AND company_id = ANY ($4)) AS relationships_repointed
     FROM claims source
     LEFT JOIN claims target ON target.workspace_id = $1 AND target.entity_id = $2 AND target.property = source.property
     WHERE source.workspace_id = $1 AND source.entity_id = $3`,
    [tx.workspace, keep, drop, members],
  );
  return effects!;
}
