import { computeFreshness } from '#domain/claims/confidence.js';
import { EMPLOYER_PROPERTY, explainDoubt, findDoubt } from '#domain/claims/doubt.js';
import { type ClaimRules, ruleOf } from '#domain/claims/rules.js';
import { isPlainObject, type JsonValue } from '#domain/observation/observation.js';
import { canonicalProperty } from '#domain/properties/registry.js';
import { type Instant, toIso, toIsoOrNull } from '#domain/time/instant.js';
import type { PersonClaim, PersonEntity, PersonIdentifier } from './people.queries.js';
import { FIT_SCORE } from './people.source.js';

/** The data that a row is built from. */
export interface PersonRowParts {
  readonly entity: PersonEntity;
  readonly claims: ReadonlyMap<string, PersonClaim>;
  readonly identifiers: readonly PersonIdentifier[];
}

/** A row: plain values by field. */
export type Row = Record<string, unknown>;

/** Builds the row of a person. Every fact is the value of the current claim; null if there is none or it has ended. */
export function toPersonRow({ entity, claims, identifiers }: PersonRowParts): Row {
  const text = (property: string) => toText(claims.get(property)?.value);
  const known = (property: string, kind: PersonIdentifier['kind']) =>
    claims.has(property) ? text(property) : (identifiers.find(own => own.kind === kind)?.value ?? null);
  const score = readFitScore(claims.get('lead_score')?.value);
  const title = text('title');
  const stage = text('stage');
  return {
    id: entity.id,
    entity_id: entity.id,
    name: entity.name,
    first_name: text('first_name'),
    last_name: text('last_name'),
    email: known('email', 'email'),
    linkedin_url: known('linkedin_url', 'linkedin'),
    title,
    job_title: title,
    seniority: text('seniority'),
    department: text('department'),
    company: text('company'),
    company_id: entity.company_id,
    account: presentCompany(entity),
    domain: entity.company_domain,
    industry: text('industry'),
    company_size: claims.get('headcount')?.value ?? null,
    city: text('city'),
    country: text('country'),
    phone: text('phone'),
    photo_url: text('photo_url'),
    stage,
    pipeline_stage: stage,
    source: text('source'),
    status: text('status'),
    icp_score: score,
    icp_fit: score === null ? null : score >= FIT_SCORE,
    first_seen_at: toIso(entity.created_at),
    last_activity_at: toIsoOrNull(entity.last_activity_at),
    enriched_at: text('enriched_at'),
    created_at: toIso(entity.created_at),
    updated_at: toIso(Math.max(entity.created_at, ...[...claims.values()].map(claim => claim.updated_at))),
  };
}

/** Claims behind fields of other names. */
const PROPERTY_OF_FIELD: Readonly<Record<string, string>> = {
  account: 'company',
  company_size: 'headcount',
  icp_fit: 'lead_score',
  icp_score: 'lead_score',
  job_title: 'title',
  pipeline_stage: 'stage',
};

/** Returns the properties of the claims that are behind fields of a row; undefined for all fields. */
function listClaimsBehind(fields: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return fields && new Set(fields.map(field => PROPERTY_OF_FIELD[field] ?? canonicalProperty(field)));
}

/** What {@link presentEpistemics} returns of each claim, and of which claims. */
export interface EpistemicsOptions {
  readonly withValues: boolean;
  /** Fields of the row; only the claims behind them are returned. Default: all claims. */
  readonly fields?: readonly string[] | undefined;
}

/** Returns confidence, freshness, class and latest support of claims, by property. */
export function presentEpistemics(
  rules: ClaimRules,
  claims: ReadonlyMap<string, PersonClaim>,
  now: Instant,
  { withValues, fields }: EpistemicsOptions,
): Row {
  const employer = claims.get(EMPLOYER_PROPERTY)?.tenure;
  const wanted = listClaimsBehind(fields);
  const shown = [...claims.values()].filter(({ property }) => wanted?.has(property) ?? true);
  return Object.fromEntries(
    shown.map(({ property, value, confidence, epistemic_class, supported_at, tenure }) => {
      const { halfLife } = ruleOf(rules, property);
      const age = computeFreshness(rules.freshness, halfLife, supported_at, now);
      const quality = { confidence, freshness: age.freshness, epistemic_class };
      const doubt = age.freshness === 'expired' ? undefined : findDoubt(employer, tenure);
      const graded = doubt ? { ...quality, freshness: 'suspect', freshness_reason: explainDoubt(doubt) } : quality;
      const about = { ...graded, last_observed_at: toIso(supported_at) };
      return [property, withValues ? { value, ...about } : about];
    }),
  );
}

/** Returns a row with the requested fields only; a field that is no column is read as a property. */
export function pickFields(row: Row, claims: ReadonlyMap<string, PersonClaim>, fields: readonly string[]): Row {
  const value = (name: string): unknown =>
    Object.hasOwn(row, name) ? row[name] : (claims.get(canonicalProperty(name))?.value ?? null);
  return Object.fromEntries(['id', ...fields].map(name => [name, value(name)]));
}

function presentCompany({ company_id, company_name, company_domain }: PersonEntity): Row | null {
  return company_id === null ? null : { entity_id: company_id, name: company_name, domain: company_domain };
}

/** Returns a value as the text of a column; null for lists, objects and missing values. */
export function toText(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Returns the ICP score; a composite score has it as `icp_score`. */
export function readFitScore(value: JsonValue | undefined): number | null {
  const score = isPlainObject(value) ? value['icp_score'] : value;
  return typeof score === 'number' ? score : null;
}
