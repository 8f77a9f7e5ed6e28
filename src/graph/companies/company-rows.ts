import { type Instant, toIso, toIsoOrNull } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { COMPANY_ACTIVITY_SQL, PEOPLE_COUNT_SQL, COMPANY_PROPERTIES } from './companies.source.js';
import { defaultRules } from '#domain/claims/rules.js';
import { canonicalProperty } from '#domain/properties/registry.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { type PersonClaim, readPersonClaims } from '../people/people.queries.js';
import { FIT_SCORE } from '../people/people.source.js';
import type { RowOptions } from '../people/person-reader.js';
import { pickFields, presentEpistemics, readFitScore, type Row, toText } from '../people/person-row.js';

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

/** Returns the rows of these companies, in the order of `ids`. Three statements in one round trip. */
export async function readCompanyRows(tx: Tx, ids: readonly string[], options: RowOptions): Promise<Row[]> {
  if (ids.length === 0) return [];
  const { past, rules = defaultRules, include, fields } = options;
  const properties = include.has('claims') ? undefined : listProperties(fields);
  const [now, companies, claims, identifiers] = await Promise.all([
    past?.now ?? tx.now(),
    readCompanies(tx, ids),
    past?.claims ?? readPersonClaims(tx, ids, properties),
    readCompanyIdentifiers(tx, ids),
  ]);
  const claimsOf = Map.groupBy(claims, claim => claim.entity_id);
  const known = identifiers.filter(({ first_seen }) => first_seen <= (past?.knownAt ?? Infinity));
  const identifiersOf = Map.groupBy(known, identifier => identifier.entity_id);
  const rows = new Map(
    companies.map(stored => {
      const company = past ? { ...stored, ...past.entityOf(stored.id) } : stored;
      const own = new Map((claimsOf.get(company.id) ?? []).map(claim => [claim.property, claim]));
      const row = toCompanyRow(company, own, identifiersOf.get(company.id) ?? []);
      const extra = {
        ...(include.has('claims') && { claims: presentEpistemics(rules, own, now, { withValues: true }) }),
        ...(include.has('epistemics') && {
          epistemics: presentEpistemics(rules, own, now, { withValues: false, fields }),
        }),
      };
      return [company.id, { ...(fields ? pickFields(row, own, fields) : row), ...extra }];
    }),
  );
  return ids.flatMap(id => rows.get(id) ?? []);
}

function toCompanyRow(
  company: CompanyEntity,
  claims: ReadonlyMap<string, PersonClaim>,
  identifiers: readonly CompanyIdentifier[],
): Row {
  const value = (property: string): JsonValue | undefined => claims.get(property)?.value;
  const text = (property: string) => toText(value(property));
  const identifier = (kind: CompanyIdentifier['kind']) => identifiers.find(own => own.kind === kind);
  const score = readFitScore(value('lead_score'));
  return {
    id: company.id,
    entity_id: company.id,
    name: company.name,
    domain: claims.has('domain') ? text('domain') : (identifier('domain')?.key ?? null),
    linkedin_url: claims.has('linkedin_url') ? text('linkedin_url') : (identifier('linkedin')?.value ?? null),
    industry: text('industry'),
    company_size: value('headcount') ?? null,
    city: text('city'),
    country: text('country'),
    phone: text('phone'),
    stage: text('stage'),
    source: text('source'),
    status: text('status'),
    icp_score: score,
    icp_fit: score === null ? null : score >= FIT_SCORE,
    people_count: company.people_count,
    first_seen_at: toIso(company.created_at),
    last_activity_at: toIsoOrNull(company.last_activity_at),
    enriched_at: text('enriched_at'),
    created_at: toIso(company.created_at),
    updated_at: toIso(Math.max(company.created_at, ...[...claims.values()].map(claim => claim.updated_at))),
  };
}

function listProperties(fields: readonly string[] = []): string[] {
  return [...new Set([...COMPANY_PROPERTIES, ...fields.map(canonicalProperty)])];
}
