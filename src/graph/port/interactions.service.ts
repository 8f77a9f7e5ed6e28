import { Injectable } from '@nestjs/common';
import { toldAs } from '#domain/observation/told-interaction.js';
import { toIso } from '#domain/time/instant.js';
import { PermanentError } from '#sdk/errors.js';
import type { InteractionsOptions, LandedInteraction } from '#sdk/graph-port.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { type InteractionRow, readInteractionsOf } from './interactions.queries.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const USUAL = 20;
const MOST = 100;

/** Interactions as plugins read them: what is told as events, in the order in which it landed. */
@Injectable()
export class InteractionsService {
  constructor(private readonly work: UnitOfWork) {}

  /** @throws PermanentError for ids that are none */
  async read(workspaceId: string, entityId: string, options: InteractionsOptions = {}): Promise<LandedInteraction[]> {
    const { until = null, limit = USUAL } = options;
    if (![entityId, until ?? entityId].every(id => UUID.test(id))) throw new PermanentError('This is no id.');
    const most = Math.min(Math.max(Math.trunc(limit), 1), MOST);
    const rows = await this.work.run(workspaceId, tx => readInteractionsOf(tx, entityId, { until, limit: most }));
    return rows.flatMap(row => shown(entityId, row));
  }
}

function shown(entity_id: string, row: InteractionRow): LandedInteraction[] {
  const { id, property, value, source, method, observed_at, recorded_at, external_id } = row;
  const event = toldAs(row);
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
