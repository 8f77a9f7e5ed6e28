import { v5 as uuidv5 } from 'uuid';
import type { HubEvent } from '#kernel/events/hub-event.js';
import type { EnabledPlugin } from '../../host/plugin.registry.js';
import type { PluginUsage } from '../../host/plugin-usage.service.js';
import type { NewPluginJob } from '../../jobs/plugin-job.js';

/** Makes the id of a job out of the events' and the plugin's, so that a repeat is the same one. */
const DELIVERY_ID_NAMESPACE = '6b1f6a52-3f0e-4c57-9d7c-0a5d2c5f6e21';
const MAX_BATCH_EVENTS = 100;

/**
 * The jobs that tell a plugin of events: one for each, and one for many where a method takes several at a time. While a
 * plugin cannot be opened its methods are unknown. Then events of one type are a job together, which a method that takes
 * one at a time is handed event by event.
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

/** By type of event, what is gathered together with it. */
function batchKeysByType({ container, manifest }: EnabledPlugin): ReadonlyMap<string, string> {
  if (!container) return new Map(manifest.consumes?.map(type => [type, type]));
  return new Map(container.handlers.events.filter(({ batched }) => batched).map(({ name, where }) => [name, where]));
}

function splitIntoBatches(events: readonly HubEvent[]): (readonly HubEvent[])[] {
  const count = Math.ceil(events.length / MAX_BATCH_EVENTS);
  return Array.from({ length: count }, (_, n) => events.slice(n * MAX_BATCH_EVENTS, (n + 1) * MAX_BATCH_EVENTS));
}
