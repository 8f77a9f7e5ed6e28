import type { Identifier } from '#domain/identity/focus.js';
import type { LikenessPart } from '#domain/identity/likeness.js';
import type { MergeGuard } from '#domain/identity/merge-guards.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { notRemovedSql } from './identifiers.queries.js';
import { membersSql } from './links.queries.js';

/** Kind of the proposals that come from likeness, and not from an identifier. */
export const LIKENESS = 'likeness';

/**
 * A reason to merge two entities: an identifier that was stated for one and belongs to the other, and why the two were
 * not merged, or likeness.
 */
export interface MergeProposal {
  readonly entity_id: string;
  readonly other_entity_id: string;
  readonly kind: Identifier['kind'] | typeof LIKENESS;
  /** Key of the identifier; of a likeness, the id of the other entity. */
  readonly key: string;
  /** The identifier; of a likeness, what the two agree in. */
  readonly value: string;
  readonly guards: readonly MergeGuard[];
  /** Probability that the two are the same; null for an identifier. */
  readonly score: number | null;
  /** The comparisons that the score is made of; null for an identifier. */
  readonly parts: readonly LikenessPart[] | null;
  readonly created_at: Instant;
}

/** A likeness of two entities to propose. */
export interface ProposedLikeness {
  readonly entityId: string;
  readonly otherId: string;
  readonly value: string;
  readonly score: number;
  readonly parts: readonly LikenessPart[];
}

/**
 * Returns SQL for the open ones among the proposals `p` of `from`, with the canonical ids of both sides. `$1` is the
 * workspace.
 */
const openProposalsInSql = (from: string, more = '') => `
  SELECT coalesce(one.canonical_id, one.id) AS entity_id, coalesce(other.canonical_id, other.id) AS other_entity_id,
         p.kind, p.key, p.value, p.guards, p.score, p.parts, p.created_at${more}
  FROM ${from}
  JOIN LATERAL (${sideSql('p.entity_id')}) one ON true
  JOIN LATERAL (${sideSql('p.other_entity_id')}) other ON true
  WHERE p.workspace_id = $1 AND coalesce(one.canonical_id, one.id) <> coalesce(other.canonical_id, other.id)
    AND NOT EXISTS (
      SELECT 1 FROM entity_links link WHERE link.workspace_id = $1 AND link.kind = 'not_same'
        AND link.retracted_at IS NULL AND link.a = least(one.id, other.id) AND link.b = greatest(one.id, other.id))`;

const sideSql = (column: string) =>
  `SELECT id, canonical_id FROM entities e
   WHERE e.workspace_id = $1 AND e.id = ${column} AND ${notRemovedSql('e')} OFFSET 0`;

/** SQL for the open proposals about identifiers of the cluster `$2`, on either side. `$1` is the workspace. */
export const openDisputesSql = (['entity_id', 'other_entity_id'] as const)
  .map(side =>
    openProposalsInSql(`(${membersSql(2)}) AS member JOIN LATERAL (
      SELECT * FROM merge_proposals
      WHERE workspace_id = $1 AND ${side} = member.id AND kind <> '${LIKENESS}' OFFSET 0) p ON true`),
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

/** Position of a proposal in the list of a workspace. */
export interface ProposalPosition {
  readonly at: Instant;
  readonly entityId: string;
  readonly key: string;
}

/** A proposal with the entity that it was stored for, which may have been merged since. */
export interface ListedProposal {
  readonly proposal: MergeProposal;
  readonly statedFor: string;
}

/** Returns the open proposals of a workspace, newest first. @param after the last one of the previous page. */
export async function listProposals(tx: Tx, limit: number, after?: ProposalPosition): Promise<ListedProposal[]> {
  const start = after ? 'AND (p.created_at, p.entity_id, p.key) < ($3::timestamptz, $4::uuid, $5)' : '';
  const rows = await tx.query<MergeProposal & { readonly stated_for: string }>(
    `${openProposalsInSql('merge_proposals p', ', p.entity_id AS stated_for')} ${start}
     ORDER BY p.created_at DESC, p.entity_id DESC, p.key DESC LIMIT $2`,
    [tx.workspace, limit, ...(after ? [toIso(after.at), after.entityId, after.key] : [])],
  );
  return rows.map(({ stated_for: statedFor, ...proposal }) => ({ proposal, statedFor }));
}

/** Proposes to merge entities that are like each other. Those that were proposed before are left as they are. */
export async function insertLikenesses(tx: Tx, likenesses: readonly ProposedLikeness[]): Promise<number> {
  if (likenesses.length === 0) return 0;
  const rows = await tx.query(
    `INSERT INTO merge_proposals (workspace_id, entity_id, kind, key, value, other_entity_id, guards, score, parts)
     SELECT $1, one, '${LIKENESS}', other::text, value, other, '{}', score, parts
     FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::real[], $6::jsonb[]) AS likeness (one, other, value, score, parts)
     WHERE NOT EXISTS (
       SELECT 1 FROM merge_proposals p WHERE p.workspace_id = $1
         AND ((p.entity_id = one AND p.other_entity_id = other) OR (p.entity_id = other AND p.other_entity_id = one)))
     ON CONFLICT DO NOTHING RETURNING 1`,
    [
      tx.workspace,
      likenesses.map(each => each.entityId),
      likenesses.map(each => each.otherId),
      likenesses.map(each => each.value),
      likenesses.map(each => each.score),
      likenesses.map(each => JSON.stringify(each.parts)),
    ],
  );
  return rows.length;
}
