import { Injectable } from '@nestjs/common';
import { eventFor } from '#domain/observation/interaction-events.js';
import { toIso } from '#domain/time/instant.js';
import { PermanentError } from '#sdk/errors.js';
import type { InteractionsOptions, InteractionRecord } from '#sdk/graph-port.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { type InteractionRow, readEntityInteractions } from './interactions.queries.js';

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
