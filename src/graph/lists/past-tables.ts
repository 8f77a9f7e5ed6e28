import type { ClaimProjection } from '#domain/claims/fold.js';
import { nameKey } from '#domain/identity/names.js';
import { type Instant, toIso, toIsoOrNull } from '#domain/time/instant.js';
import { toJsonText } from '#kernel/db/prepared-query.js';
import { INDEXED_PREFIX_LENGTH } from './filter-sql.js';
import type { SqlParams } from './sql-params.js';

/** A claim as it was at a past time. */
export interface PastClaim extends ClaimProjection {
  readonly entityId: string;
  readonly property: string;
}

/** What changes in time about an entity, as it was at a past time. */
export interface PastEntity {
  readonly id: string;
  readonly name: string | null;
  readonly firstActivityAt: Instant | null;
  readonly lastActivityAt: Instant | null;
  readonly lastInboundActivityAt: Instant | null;
}

/** What a past list reads instead of the stored claims and entities. */
export interface PastTables {
  /** The time that freshness is computed for. */
  readonly now: Instant;
  readonly claims: readonly PastClaim[];
  /** The candidates of the list. */
  readonly entities: readonly PastEntity[];
}

/**
 * Returns a WITH clause that puts past rows in the place of the tables `claims` and `entities`, so that the rest of a
 * statement reads as it does for today. Of entities that are no candidates, such as companies, the columns of today
 * remain.
 */
export function pastTablesSql({ claims, entities }: PastTables, params: SqlParams): string {
  const claimColumns = [
    params.add(
      claims.map(c => c.entityId),
      'uuid[]',
    ),
    params.add(
      claims.map(c => c.property),
      'text[]',
    ),
    params.add(
      claims.map(c => toJsonText(c.value)),
      'jsonb[]',
    ),
    params.add(
      claims.map(c => c.textValue),
      'text[]',
    ),
    params.add(
      claims.map(c => c.numberValue),
      'float8[]',
    ),
    params.add(
      claims.map(c => c.confidence),
      'float8[]',
    ),
    params.add(
      claims.map(c => c.epistemicClass),
      'text[]',
    ),
    params.add(
      claims.map(c => toIso(c.supportedAt)),
      'timestamptz[]',
    ),
    params.add(
      claims.map(c => (c.tenure ? toJsonText(c.tenure) : null)),
      'jsonb[]',
    ),
    params.add(
      claims.map(c => toJsonText(c.sources)),
      'jsonb[]',
    ),
  ];
  const entityColumns = [
    params.add(
      entities.map(e => e.id),
      'uuid[]',
    ),
    params.add(
      entities.map(e => (e.name === null ? null : nameKey(e.name))),
      'text[]',
    ),
    params.add(
      entities.map(e => toIsoOrNull(e.firstActivityAt)),
      'timestamptz[]',
    ),
    params.add(
      entities.map(e => toIsoOrNull(e.lastActivityAt)),
      'timestamptz[]',
    ),
    params.add(
      entities.map(e => toIsoOrNull(e.lastInboundActivityAt)),
      'timestamptz[]',
    ),
  ];
  const changing = ['name_key', 'first_activity_at', 'last_activity_at', 'last_inbound_activity_at'];
  const columns = changing.map(
    name => `CASE WHEN past.id IS NULL THEN stored.${name} ELSE past.${name} END AS ${name}`,
  );
  return `WITH claims AS MATERIALIZED (
      SELECT $1::uuid AS workspace_id, entity_id, property, value, text_value COLLATE "C" AS text_value,
        left(text_value, ${INDEXED_PREFIX_LENGTH}) COLLATE "C" AS text_prefix, number_value, confidence,
        epistemic_class, supported_at, tenure, sources
      FROM unnest(${claimColumns.join(', ')}) AS past (entity_id, property, value, text_value, number_value,
        confidence, epistemic_class, supported_at, tenure, sources)),
    entities AS NOT MATERIALIZED (
      SELECT stored.workspace_id, stored.id, stored.type, stored.canonical_id, stored.company_id, stored.created_at,
        ${columns.join(', ')}
      FROM entities stored LEFT JOIN unnest(${entityColumns.join(', ')}) AS past (id, ${changing.join(', ')})
        ON past.id = stored.id
      WHERE stored.workspace_id = $1)`;
}
