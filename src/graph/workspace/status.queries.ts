import type { Plan } from '#domain/plans/tiers.js';
import type { Tx } from '#kernel/db/transaction.js';

/** Rows that are counted of anything; more are said to be at least so many. */
export const COUNTED = 10_000;

/** The workspace and how much it holds, every number at most {@link COUNTED}. */
export interface WorkspaceRow {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly people: number;
  readonly companies: number;
  readonly observations: number;
  readonly notes: number;
  readonly leads: number;
  readonly lead_lists: number;
}

const some = (table: string) =>
  `(SELECT count(*)::int FROM (SELECT FROM ${table} WHERE workspace_id = $1 LIMIT ${COUNTED}) AS counted)`;

/** One statement, whose work is bounded however large the workspace is. */
export async function readWorkspace(tx: Tx): Promise<WorkspaceRow> {
  const [row] = await tx.query<WorkspaceRow>(
    `WITH known AS MATERIALIZED (
       SELECT type FROM entities WHERE workspace_id = $1 AND canonical_id IS NULL LIMIT ${COUNTED}
     )
     SELECT w.id, w.name, w.plan,
            (SELECT count(*)::int FROM known WHERE type = 'person') AS people,
            (SELECT count(*)::int FROM known WHERE type = 'company') AS companies,
            ${some('observations')} AS observations, ${some('notes')} AS notes,
            ${some('leads')} AS leads, ${some('lead_lists')} AS lead_lists
     FROM workspaces w WHERE w.id = $1`,
    [tx.workspace],
  );
  return row!;
}
