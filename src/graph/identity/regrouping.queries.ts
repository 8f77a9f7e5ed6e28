import type { Cluster } from '#domain/identity/clusters.js';
import type { Activity } from '#domain/observation/activity.js';
import { toIsoOrNull } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { nameLookupKey } from './identifiers.queries.js';
import { writeNameWords } from './name-words.queries.js';

/** Columns of an entity that are derived from its log. */
export interface DerivedFields extends Activity {
  readonly id: string;
  readonly name: string | null;
}

/** Replaces names and activity; the previous values are discarded. */
export async function replaceDerivedFields(tx: Tx, derived: readonly DerivedFields[]): Promise<void> {
  await tx.query(
    `UPDATE entities SET name = derived.name, name_key = derived.key, first_activity_at = derived.first,
            last_activity_at = derived.last, last_inbound_activity_at = derived.inbound
     FROM unnest($2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[])
       AS derived (id, name, key, first, last, inbound)
     WHERE workspace_id = $1 AND entities.id = derived.id`,
    [
      tx.workspace,
      derived.map(own => own.id),
      derived.map(own => own.name),
      derived.map(own => nameLookupKey(own.name)),
      derived.map(own => toIsoOrNull(own.first)),
      derived.map(own => toIsoOrNull(own.last)),
      derived.map(own => toIsoOrNull(own.lastInbound)),
    ],
  );
  writeNameWords(tx, derived);
}

/** Returns SQL for the company with the domain of a cluster's oldest work address, if it exists. */
const employerSql = (members: string) => `
  SELECT coalesce(company.canonical_id, company.id) FROM identifiers mail
  JOIN identifiers domain ON domain.workspace_id = $1 AND domain.kind = 'domain'
    AND domain.key = ANY (ARRAY(
      SELECT array_to_string(labels[n:], '.') FROM string_to_array(split_part(mail.value, '@', 2), '.') AS labels,
        generate_series(1, array_length(labels, 1)) AS n))
  JOIN entities company ON company.workspace_id = $1 AND company.id = domain.entity_id
  WHERE mail.workspace_id = $1 AND mail.kind = 'email' AND mail.entity_id = ANY (${members})
  ORDER BY mail.first_seen, mail.key LIMIT 1`;

const PERSON_MEMBERS_SQL = `ARRAY(
  SELECT person.id UNION ALL
  SELECT merged.id FROM entities merged WHERE merged.workspace_id = $1 AND merged.canonical_id = person.id)`;

/**
 * Recomputes the companies of people after a merge or unmerge. A person in these clusters gets the company of their
 * addresses, else that of a member that has one; a company that came from a former member is dropped. People who work
 * for a company in these clusters move to the cluster that now has its domain.
 */
export async function recomputeCompanies(tx: Tx, clusters: readonly Cluster[]): Promise<void> {
  for (const members of clusters) {
    await tx.query(
      `UPDATE entities person SET company_id = coalesce((${employerSql('$2::uuid[]')}), CASE WHEN NOT EXISTS (
           SELECT 1 FROM entities former
           WHERE former.workspace_id = $1 AND former.id = ANY ($4) AND former.company_id = person.company_id
         ) THEN person.company_id END, (
         SELECT other.company_id FROM entities other
         WHERE other.workspace_id = $1 AND other.id = ANY ($2) AND other.id <> $3 AND other.company_id IS NOT NULL
         ORDER BY other.created_at, other.id LIMIT 1))
       WHERE person.workspace_id = $1 AND person.id = $3 AND person.type = 'person'`,
      [tx.workspace, members, members[0], members === clusters[0] ? clusters.slice(1).flat() : []],
    );
  }
  await tx.query(
    `UPDATE entities person SET company_id = coalesce((${employerSql(PERSON_MEMBERS_SQL)}), company.canonical_id, company.id)
     FROM entities company
     WHERE person.workspace_id = $1 AND person.company_id = ANY ($2)
       AND company.workspace_id = $1 AND company.id = person.company_id`,
    [tx.workspace, clusters.flat()],
  );
}
