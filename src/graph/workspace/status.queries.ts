import type { Plan } from '#domain/plans/tiers.js';
import type { Tx } from '#kernel/db/transaction.js';

/** Maximum of each count; a count of this value means "at least". */
export const MAX_COUNTED = 10_000;

/** The workspace with its counts, each at most {@link MAX_COUNTED}. */
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

const countSql = (table: string) =>
  `(SELECT count(*)::int FROM (SELECT FROM ${table} WHERE workspace_id = $1 LIMIT ${MAX_COUNTED}) AS counted)`;

/** Reads the workspace and its counts. One statement, whose work is bounded whatever the size of the workspace. */
export async function readWorkspaceCounts(tx: Tx): Promise<WorkspaceRow> {
  const [row] = await tx.query<WorkspaceRow>(
    `WITH known AS MATERIALIZED (
       SELECT type FROM entities WHERE workspace_id = $1 AND canonical_id IS NULL LIMIT ${MAX_COUNTED}
     )
     SELECT w.id, w.name, w.plan,
            (SELECT count(*)::int FROM known WHERE type = 'person') AS people,
            (SELECT count(*)::int FROM known WHERE type = 'company') AS companies,
            ${countSql('observations')} AS observations, ${countSql('notes')} AS notes,
            ${countSql('leads')} AS leads, ${countSql('lead_lists')} AS lead_lists
     FROM workspaces w WHERE w.id = $1`,
    [tx.workspace],
  );
  return row!;
}
