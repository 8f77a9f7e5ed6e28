import { validate as isUuid } from 'uuid';
import type { FieldTest } from '#domain/filters/filter.js';
import type { ListSource } from './list-source.js';
import type { SqlParams } from './sql-params.js';

/** The property that states an identifier, by kind. */
const PROPERTY_BY_KIND = { email: 'email', linkedin: 'linkedin_url', domain: 'domain' } as const;

/**
 * Returns SQL that tests whether an entity has an identifier that passes a test, including those of entities merged
 * into it. A look-up by key starts from the identifier, everything else from the entity.
 */
export function identifierSql(
  { entity, entityCondition }: ListSource,
  kind: 'email' | 'linkedin' | 'domain',
  test: FieldTest,
  params: SqlParams,
): string {
  const kindParam = params.add(kind, 'text');
  if (test.op === 'in') {
    const matching = `i.workspace_id = $1 AND i.kind = ${kindParam} AND i.key = ANY (${params.add(test.values, 'text[]')})`;
    return entityCondition(`
      SELECT i.entity_id AS id FROM identifiers i WHERE ${matching} UNION ALL
      SELECT m.canonical_id FROM identifiers i JOIN entities m ON m.workspace_id = $1 AND m.id = i.entity_id
      WHERE ${matching} AND m.canonical_id IS NOT NULL`);
  }
  const own = `(
    SELECT ${entity} AS id UNION ALL
    SELECT m.id FROM entities m WHERE m.workspace_id = $1 AND m.canonical_id = ${entity}) AS member`;
  const matching = `EXISTS (
    SELECT FROM ${own} JOIN identifiers i ON i.workspace_id = $1 AND i.entity_id = member.id
    WHERE i.kind = ${kindParam} AND ${textTestSql(kind === 'linkedin' ? 'i.key' : 'i.value', test, params)})`;
  return test.op === 'exists' ? `(${matching} AND NOT ${endedSql(entity, PROPERTY_BY_KIND[kind], params)})` : matching;
}

/**
 * Returns SQL that tests whether a company is one of several, given by id or domain, including those merged into it.
 */
export function companySql(company: string, test: FieldTest, params: SqlParams): string {
  if (test.op !== 'in') return `${company} IS NOT NULL`;
  const ids = params.add(test.values.filter(isUuid), 'uuid[]');
  const domains = params.add(
    test.values.filter(value => !isUuid(value)),
    'text[]',
  );
  return `${company} IN (
    SELECT coalesce(named.canonical_id, named.id) FROM entities named WHERE named.workspace_id = $1 AND named.id IN (
      SELECT unnest(${ids}) UNION
      SELECT i.entity_id FROM identifiers i WHERE i.workspace_id = $1 AND i.kind = 'domain' AND i.key = ANY (${domains})))`;
}

/** E-mail addresses and domains are searched as they were written, profiles as `linkedin.com/in/…`. */
function textTestSql(sql: string, test: FieldTest, params: SqlParams): string {
  if (test.op === 'contains') return `strpos(${sql}, ${params.add(test.value, 'text')}) > 0`;
  if (test.op === 'starts_with') return `starts_with(${sql}, ${params.add(test.value, 'text')})`;
  return 'true';
}

/** An ended address still identifies the person, but is no longer their address. */
function endedSql(entity: string, property: string, params: SqlParams): string {
  return `EXISTS (SELECT FROM claims c WHERE c.workspace_id = $1 AND c.entity_id = ${entity}
    AND c.property = ${params.add(property, 'text')} AND c.epistemic_class = 'ended')`;
}
