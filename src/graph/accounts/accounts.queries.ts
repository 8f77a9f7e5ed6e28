import type { EntityType } from '#domain/identity/focus.js';
import type { Json, ObservationKind } from '#domain/observation/observation.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { TimelinePlace } from './cursor.js';

/** An entity with the company it belongs to. */
export interface EntityRow {
  readonly id: string;
  readonly type: EntityType;
  readonly name: string | null;
  readonly created_at: Instant;
  readonly first_activity_at: Instant | null;
  readonly last_activity_at: Instant | null;
  readonly last_inbound_activity_at: Instant | null;
  readonly company_id: string | null;
  readonly company_name: string | null;
  readonly company_domain: string | null;
}

/** One entity by its id. */
export async function readEntity(tx: Tx, id: string): Promise<EntityRow | undefined> {
  const [row] = await tx.query<EntityRow>(
    `SELECT e.id, e.type, e.name, e.created_at, e.first_activity_at, e.last_activity_at, e.last_inbound_activity_at,
            e.company_id, company.name AS company_name, domain.key AS company_domain
     FROM entities e
     LEFT JOIN entities company ON company.workspace_id = $1 AND company.id = e.company_id
     LEFT JOIN identifiers domain
       ON domain.workspace_id = $1 AND domain.entity_id = e.company_id AND domain.kind = 'domain'
     WHERE e.workspace_id = $1 AND e.id = $2 LIMIT 1`,
    [tx.workspace, id],
  );
  return row;
}

/** One identifier of an entity, as it is kept. */
export interface IdentifierRow {
  readonly kind: 'email' | 'domain' | 'linkedin';
  readonly value: string;
  readonly key: string;
  readonly first_seen: Instant;
}

/** All identifiers of an entity, the oldest first. */
export function readIdentifiers(tx: Tx, entityId: string): Promise<IdentifierRow[]> {
  return tx.query<IdentifierRow>(
    `SELECT kind, value, key, first_seen FROM identifiers
     WHERE workspace_id = $1 AND entity_id = $2 ORDER BY first_seen, kind, key`,
    [tx.workspace, entityId],
  );
}

/** One row of a timeline, as it is kept. */
export interface TimelineRow {
  readonly id: string;
  readonly entity_id: string;
  readonly kind: ObservationKind;
  readonly property: string;
  readonly value: Json;
  readonly source: string;
  readonly method: string;
  readonly observed_at: Instant;
  readonly recorded_at: Instant;
  readonly external_id: string | null;
}

/** Which page of a timeline is wanted. */
export interface TimelinePage {
  readonly limit: number;
  readonly after: TimelinePlace | undefined;
  readonly asOf: Instant;
  readonly knownAt: Instant;
}

/** Observations of an entity, newest first; a page costs the same however far down it lies. */
export function readTimeline(tx: Tx, entityId: string, page: TimelinePage): Promise<TimelineRow[]> {
  const { limit, after, asOf, knownAt } = page;
  return tx.query<TimelineRow>(
    `SELECT id, entity_id, kind, property, value, source, method, observed_at, recorded_at, external_id
     FROM observations
     WHERE workspace_id = $1 AND entity_id = $2 AND observed_at <= $3 AND recorded_at <= $4
       ${after ? 'AND (observed_at, id) < ($6, $7)' : ''}
     ORDER BY observed_at DESC, id DESC LIMIT $5`,
    [tx.workspace, entityId, toIso(asOf), toIso(knownAt), limit, ...(after ? [toIso(after.observedAt), after.id] : [])],
  );
}
