import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { COMPANY_ACTIVITY_SQL, PEOPLE_COUNT_SQL } from './companies.source.js';

/** A company as it is stored. */
export interface CompanyEntity {
  readonly id: string;
  readonly name: string | null;
  readonly created_at: Instant;
  /** Latest interaction with the company or one of its people. */
  readonly last_activity_at: Instant | null;
  readonly people_count: number;
}

/** The oldest domain or page of a company. */
export interface CompanyIdentifier {
  readonly entity_id: string;
  readonly kind: 'domain' | 'linkedin';
  readonly value: string;
  readonly key: string;
  readonly first_seen: Instant;
}

/** Returns those of these entities that are companies, in no order. */
export function readCompanies(tx: Tx, ids: readonly string[]): Promise<CompanyEntity[]> {
  return tx.query<CompanyEntity>(
    `SELECT e.id, e.name, e.created_at, ${COMPANY_ACTIVITY_SQL} AS last_activity_at, ${PEOPLE_COUNT_SQL} AS people_count
     FROM entities e
     WHERE e.workspace_id = $1 AND e.id = ANY ($2::uuid[]) AND e.type = 'company'`,
    [tx.workspace, ids],
  );
}

/** Returns the oldest domain and page of each company, including those of companies merged into it. */
export function readCompanyIdentifiers(tx: Tx, ids: readonly string[]): Promise<CompanyIdentifier[]> {
  return tx.query<CompanyIdentifier>(
    `SELECT DISTINCT ON (member.entity_id, i.kind) member.entity_id, i.kind, i.value, i.key, i.first_seen
     FROM (
       SELECT id AS entity_id, id AS member_id FROM unnest($2::uuid[]) AS id
       UNION ALL
       SELECT canonical_id, id FROM entities WHERE workspace_id = $1 AND canonical_id = ANY ($2::uuid[])
     ) AS member
     JOIN identifiers i ON i.workspace_id = $1 AND i.entity_id = member.member_id AND i.kind IN ('domain', 'linkedin')
     ORDER BY member.entity_id, i.kind, i.first_seen, i.key`,
    [tx.workspace, ids],
  );
}
