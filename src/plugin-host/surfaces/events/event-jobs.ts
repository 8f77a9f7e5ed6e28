import { v5 as uuidv5 } from 'uuid';
import type { HubEvent } from '#kernel/events/hub-event.js';
import type { EnabledPlugin } from '../../host/plugin.registry.js';
import type { PluginUsage } from '../../host/plugin-usage.service.js';
import type { NewPluginJob } from '../../jobs/plugin-job.js';

/**
 * Namespace of job IDs, which are derived from the event IDs and the plugin ID, so that a redelivery yields the same
 * job.
 */
const DELIVERY_ID_NAMESPACE = '6b1f6a52-3f0e-4c57-9d7c-0a5d2c5f6e21';
const MAX_BATCH_EVENTS = 100;

/**
 * Returns the jobs that deliver events to a plugin: one job per event, or one per batch of up to 100 events for a
 * batched handler. While a plugin cannot be started, its handlers are unknown; then events of one type share a job,
 * which a handler that is not batched receives event by event.
 */
export function toEventJobs(
  plugin: EnabledPlugin,
  { connectionId }: PluginUsage,
  events: readonly HubEvent[],
): NewPluginJob[] {
  const batchKeys = batchKeysByType(plugin);
  const groups = Map.groupBy(events, ({ id, type }) => batchKeys.get(type) ?? id).values();
  return [...groups].flatMap(splitIntoBatches).map(batch => {
    const [first] = batch;
    const payload = batch.map(({ id, type, payload, occurredAt }) => ({ id, type, payload, occurredAt }));
    return {
      plugin: plugin.id,
      kind: 'event',
      name: first!.type,
      payload: batchKeys.has(first!.type) ? payload : payload[0],
      connectionId,
      id: uuidv5(`${batch.map(({ id }) => id).join()} ${plugin.id}`, DELIVERY_ID_NAMESPACE),
    };
  });
}

/** Returns, by event type, the key of the batch that its events belong to. */
function batchKeysByType({ container, manifest }: EnabledPlugin): ReadonlyMap<string, string> {
  if (!container) return new Map(manifest.consumes?.map(type => [type, type]));
  return new Map(container.handlers.events.filter(({ batched }) => batched).map(({ name, where }) => [name, where]));
}

function splitIntoBatches(events: readonly HubEvent[]): (readonly HubEvent[])[] {
  const count = Math.ceil(events.length / MAX_BATCH_EVENTS);
  return Array.from({ length: count }, (_, n) => events.slice(n * MAX_BATCH_EVENTS, (n + 1) * MAX_BATCH_EVENTS));
}
