import { defaultRules } from '#domain/claims/default-rules.js';
import type { Tx } from '#kernel/db/transaction.js';

/** Properties that rows show or rules mention. They can be requested before any observation states them. */
const WELL_KNOWN_PROPERTIES = new Set([
  ...Object.keys(defaultRules.properties),
  ...'first_name last_name department city country region photo_url source enriched_at'.split(' '),
  ...'icp_score intent_score channels plan role company_type size'.split(' '),
]);

/**
 * Returns the first of these properties that is neither well known nor stated by any observation of the workspace;
 * undefined if all are known.
 */
export async function unknownProperty(tx: Tx, properties: ReadonlySet<string>): Promise<string | undefined> {
  const unusual = [...properties].filter(property => !WELL_KNOWN_PROPERTIES.has(property));
  if (unusual.length === 0) return undefined;
  const [row] = await tx.query<{ property: string }>(
    `SELECT requested.property FROM unnest($2::text[]) AS requested (property)
     WHERE NOT EXISTS (SELECT FROM claims c WHERE c.workspace_id = $1 AND c.property = requested.property)`,
    [tx.workspace, unusual],
  );
  return row?.property;
}
