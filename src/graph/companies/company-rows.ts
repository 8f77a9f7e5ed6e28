import { defaultRules } from '#domain/claims/rules.js';
import { canonicalProperty } from '#domain/properties/registry.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { toIso, toIsoOrNull } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { COMPANY_PROPERTIES } from './companies.source.js';
import { type PersonClaim, readPersonClaims } from '../people/people.queries.js';
import { FIT_SCORE } from '../people/people.source.js';
import type { RowOptions } from '../people/person-reader.js';
import { pickFields, presentEpistemics, readFitScore, type Row, toText } from '../people/person-row.js';
import {
  type CompanyEntity,
  type CompanyIdentifier,
  readCompanies,
  readCompanyIdentifiers,
} from './companies.queries.js';

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
        ...(include.has('claims') && { claims: presentEpistemics(rules, own, now, true) }),
        ...(include.has('epistemics') && { epistemics: presentEpistemics(rules, own, now, false) }),
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
