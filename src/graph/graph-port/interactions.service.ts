import { Injectable } from '@nestjs/common';
import { EVENT_PROPERTIES, eventFor } from '#domain/observation/interaction-events.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Json } from '#sdk/schema.js';
import type { Tx } from '#kernel/db/transaction.js';
import { PermanentError } from '#sdk/errors.js';
import type { InteractionsOptions, InteractionRecord } from '#sdk/ports/graph-port.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { membersSql } from '../identity/links.queries.js';

/** An observation that may become a plugin event. */
export interface InteractionRow {
  readonly id: string;
  readonly property: string;
  readonly method: string;
  readonly value: Json;
  readonly source: string;
  readonly observed_at: Instant;
  readonly recorded_at: Instant;
  readonly external_id: string | null;
}

const COLUMNS = 'id, property, method, value, source, observed_at, recorded_at, external_id';

/** Reads those of these observations that may become plugin events. */
export function readInteractions(tx: Tx, ids: readonly string[]): Promise<InteractionRow[]> {
  return tx.query<InteractionRow>(
    `SELECT ${COLUMNS} FROM observations
     WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND property = ANY ($3)`,
    [tx.workspace, ids, EVENT_PROPERTIES],
  );
}

/**
 * Reads the last `limit` interactions of a cluster in the order in which they were recorded.
 * @param until ID of the last observation to include; null for the newest.
 */
export async function readEntityInteractions(
  tx: Tx,
  canonicalId: string,
  { until, limit }: { readonly until: string | null; readonly limit: number },
): Promise<InteractionRow[]> {
  const rows = await tx.query<InteractionRow>(
    `SELECT ${COLUMNS} FROM observations
     WHERE workspace_id = $1 AND entity_id IN (${membersSql(2)}) AND property = ANY ($3)
       AND ($4::uuid IS NULL OR (recorded_at, id) <= (
         SELECT last.recorded_at, last.id FROM observations last WHERE last.workspace_id = $1 AND last.id = $4))
     ORDER BY recorded_at DESC, id DESC LIMIT $5`,
    [tx.workspace, canonicalId, EVENT_PROPERTIES, until, limit],
  );
  return rows.toReversed();
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DEFAULT_INTERACTIONS = 20;
const MAX_INTERACTIONS = 100;

/** Reads interactions for plugins: the observations that become plugin events, in the order of recording. */
@Injectable()
export class InteractionsService {
  constructor(private readonly work: UnitOfWork) {}

  /** Returns the latest interactions of an entity, oldest first. @throws PermanentError for invalid IDs. */
  async read(workspaceId: string, entityId: string, options: InteractionsOptions = {}): Promise<InteractionRecord[]> {
    const { until = null, limit = DEFAULT_INTERACTIONS } = options;
    if (![entityId, until ?? entityId].every(id => UUID.test(id))) throw new PermanentError('This is no id.');
    const maxRows = Math.min(Math.max(Math.trunc(limit), 1), MAX_INTERACTIONS);
    const rows = await this.work.run(workspaceId, tx =>
      readEntityInteractions(tx, entityId, { until, limit: maxRows }),
    );
    return rows.flatMap(row => toInteractionRecord(entityId, row));
  }
}

function toInteractionRecord(entity_id: string, row: InteractionRow): InteractionRecord[] {
  const { id, property, value, source, method, observed_at, recorded_at, external_id } = row;
  const event = eventFor(row);
  if (!event) return [];
  const observation = { id, kind: 'event', property, value, source, method, external_id } as const;
  return [
    {
      event,
      entity_id,
      recorded_at: toIso(recorded_at),
      observation: { ...observation, observed_at: toIso(observed_at) },
    },
  ];
}
