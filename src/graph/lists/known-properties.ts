import { defaultRules } from '#domain/claims/default-rules.js';
import type { Tx } from '#kernel/db/transaction.js';

/** Properties that rows show or that rules speak of: they may be asked for before anybody stated them. */
const WELL_KNOWN_PROPERTIES = new Set([
  ...Object.keys(defaultRules.properties),
  ...'first_name last_name department city country region photo_url source enriched_at'.split(' '),
  ...'icp_score intent_score channels plan role company_type size'.split(' '),
]);

/** A property among these that is not usual and that nobody in the workspace ever stated; undefined when all are known. */
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
