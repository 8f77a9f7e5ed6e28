import { projectClaim } from '#domain/claims/fold.js';
import { tryDeserializeState } from '#domain/claims/property-state.js';
import { defaultRules } from '#domain/claims/rules.js';
import type { DeferredMigration } from '#kernel/db/deferred-migrations.js';
import { toJsonText } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import { listWorkspaces } from '#kernel/workspaces/workspaces.repository.js';
import type { StoredClaimRow } from './claims.queries.js';

/** Number of claims that one batch reads. */
const BATCH_SIZE = 1_000;

/** The last claim that was read. */
interface Position {
  readonly workspace: string;
  /** Undefined: none of this workspace was read. */
  readonly entity?: string;
  readonly property?: string;
}

/** Fills the column `sources` of claims that were written before it existed. */
export const fillClaimSources: DeferredMigration = {
  name: 'sources of claims',
  async runBatch({ work }, cursor) {
    const after: Position | undefined = cursor === undefined ? undefined : JSON.parse(cursor);
    const ids = (await listWorkspaces(work)).map(({ id }) => id).toSorted();
    const workspace = ids.find(id => after === undefined || id >= after.workspace);
    if (workspace === undefined) return undefined;
    const from = after?.workspace === workspace ? after : { workspace };
    const last = await work.run(workspace, tx => fillPage(tx, from));
    if (last) return JSON.stringify({ workspace, entity: last.entity_id, property: last.property });
    const next = ids.find(id => id > workspace);
    return next === undefined ? undefined : JSON.stringify({ workspace: next });
  },
};

/** @returns the last claim of the page; undefined if no page follows. */
async function fillPage(tx: Tx, { entity, property }: Position): Promise<StoredClaimRow | undefined> {
  const rows = await tx.query<StoredClaimRow>(
    `SELECT entity_id, property, state FROM claims
     WHERE workspace_id = $1 AND sources IS NULL AND ($2::uuid IS NULL OR (entity_id, property) > ($2::uuid, $3::text))
     ORDER BY entity_id, property LIMIT ${BATCH_SIZE}`,
    [tx.workspace, entity ?? null, property ?? null],
  );
  const filled = rows.flatMap(row => {
    // Sources do not depend on how much the workspace trusts them.
    const state = tryDeserializeState(row.state);
    const sources = state && projectClaim(defaultRules, row.property, state)?.sources;
    return sources ? [{ ...row, sources: toJsonText(sources) }] : [];
  });
  // A claim that was written meanwhile has its sources.
  await tx.query(
    `UPDATE claims c SET sources = filled.sources
     FROM unnest($2::uuid[], $3::text[], $4::jsonb[]) AS filled (entity_id, property, sources)
     WHERE c.workspace_id = $1 AND c.entity_id = filled.entity_id AND c.property = filled.property AND c.sources IS NULL`,
    [
      tx.workspace,
      filled.map(({ entity_id }) => entity_id),
      filled.map(claim => claim.property),
      filled.map(({ sources }) => sources),
    ],
  );
  return rows.length < BATCH_SIZE ? undefined : rows.at(-1);
}
