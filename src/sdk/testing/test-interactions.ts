import type { InteractionRecord, InteractionsOptions } from '../ports/graph-port.js';
import type { TestObservation } from './test-entities.js';

const EVENTS: Readonly<Record<string, InteractionRecord['event']>> = {
  'interaction.email_replied': 'reply.received',
  'interaction.linkedin_replied': 'reply.received',
  'interaction.connection_accepted': 'connection.accepted',
  'interaction.meeting_scheduled': 'meeting.scheduled',
  'interaction.meeting_cancelled': 'meeting.cancelled',
};
const BACKFILL_METHODS = new Set(['import', 'backfill']);

/** Lists the observations of an entity that cause events in the hub, in the order in which they were appended. */
export function listTestInteractions(
  observations: readonly TestObservation[],
  entityId: string,
  { until, limit = 20 }: InteractionsOptions,
): InteractionRecord[] {
  const own = observations.filter(({ entity_id, method }) => entity_id === entityId && !BACKFILL_METHODS.has(method));
  const interactions = own.flatMap(
    ({ entity_id, recorded_at, id, property, value, source, method, observed_at, ...rest }) => {
      const event = EVENTS[property];
      const external_id = rest.external_id ?? null;
      const observation = { id, kind: 'event', property, value, source, method, observed_at, external_id } as const;
      return event ? [{ event, entity_id, recorded_at, observation }] : [];
    },
  );
  const last =
    until === undefined
      ? interactions.length
      : interactions.findIndex(({ observation }) => observation.id === until) + 1;
  return interactions.slice(Math.max(0, last - limit), last);
}
