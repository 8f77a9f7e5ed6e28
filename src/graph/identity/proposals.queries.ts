import type { Identifier } from '#domain/identity/focus.js';
import type { MergeGuard } from '#domain/identity/merge-guards.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { membersSql } from './links.queries.js';

/** An identifier that was stated for one entity and belongs to another, and why the two were not merged. */
export interface MergeProposal {
  readonly entity_id: string;
  readonly other_entity_id: string;
  readonly kind: Identifier['kind'];
  readonly key: string;
  readonly value: string;
  readonly guards: readonly MergeGuard[];
  readonly created_at: Instant;
}

/**
 * Returns SQL for the open ones among the proposals `p` of `from`, with the canonical ids of both sides. `$1` is the
 * workspace.
 */
const openProposalsInSql = (from: string) => `
  SELECT coalesce(one.canonical_id, one.id) AS entity_id, coalesce(other.canonical_id, other.id) AS other_entity_id,
         p.kind, p.key, p.value, p.guards, p.created_at
  FROM ${from}
  JOIN LATERAL (${sideSql('p.entity_id')}) one ON true
  JOIN LATERAL (${sideSql('p.other_entity_id')}) other ON true
  WHERE p.workspace_id = $1 AND coalesce(one.canonical_id, one.id) <> coalesce(other.canonical_id, other.id)
    AND NOT EXISTS (
      SELECT 1 FROM entity_links link WHERE link.workspace_id = $1 AND link.kind = 'not_same'
        AND link.retracted_at IS NULL AND link.a = least(one.id, other.id) AND link.b = greatest(one.id, other.id))`;

const sideSql = (column: string) =>
  `SELECT id, canonical_id FROM entities e WHERE e.workspace_id = $1 AND e.id = ${column} OFFSET 0`;

/** SQL for the open proposals of the cluster `$2`, on either side. `$1` is the workspace. */
export const openDisputesSql = (['entity_id', 'other_entity_id'] as const)
  .map(side =>
    openProposalsInSql(`(${membersSql(2)}) AS member JOIN LATERAL (
      SELECT * FROM merge_proposals WHERE workspace_id = $1 AND ${side} = member.id OFFSET 0) p ON true`),
  )
  .join(' UNION ');

/**
 * Returns SQL for the proposed merges of a workspace that are neither carried out nor declined, newest first. Proposals
 * are never updated: one is open while its two sides are in different clusters and no active link states that they are
 * distinct. `$1` is the workspace.
 */
export const openProposalsSql = (limit: number) =>
  `${openProposalsInSql('merge_proposals p')} ORDER BY p.created_at DESC, p.entity_id, p.key LIMIT ${limit}`;

/** Returns the open proposals of these entities, on either side, newest first, at most 1,000. */
export function readProposals(tx: Tx, ids: readonly string[]): Promise<MergeProposal[]> {
  return tx.query<MergeProposal>(
    `${openProposalsInSql('merge_proposals p')} AND (p.entity_id = ANY ($2) OR p.other_entity_id = ANY ($2)) ORDER BY p.created_at DESC, p.key LIMIT 1000`,
    [tx.workspace, ids],
  );
}

/**
 * Proposes to merge the entity that an identifier was stated for with its owner. An existing proposal is left as it is.
 */
export async function insertProposal(
  tx: Tx,
  entityId: string,
  otherId: string,
  { kind, key, value }: Identifier,
  guards: readonly MergeGuard[],
): Promise<void> {
  await tx.query(
    `INSERT INTO merge_proposals (workspace_id, entity_id, kind, key, value, other_entity_id, guards)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
    [tx.workspace, entityId, kind, key, value, otherId, guards],
  );
}
