import { v5 as uuidv5 } from 'uuid';
import type { HubEvent } from '#kernel/events/hub-event.js';
import type { ExpectedPlugin } from '../plugin-catalogue.js';
import type { PluginUse } from '../plugin-uses.js';
import type { NewPluginJob } from './plugin-job.js';

/** Makes the id of a job out of the events' and the plugin's, so that a repeat is the same one. */
const DELIVERIES = '6b1f6a52-3f0e-4c57-9d7c-0a5d2c5f6e21';
const MOST_TOGETHER = 100;

/**
 * The jobs that tell a plugin of events: one for each, and one for many where a method takes several at a time. While a
 * plugin cannot be opened its methods are unknown. Then events of one type are a job together, which a method that takes
 * one at a time is handed event by event.
 */
export function jobsFor(
  plugin: ExpectedPlugin,
  { connectionId }: PluginUse,
  events: readonly HubEvent[],
): NewPluginJob[] {
  const gathering = gatheringOf(plugin);
  const groups = Map.groupBy(events, ({ id, type }) => gathering.get(type) ?? id).values();
  return [...groups].flatMap(portions).map(portion => {
    const [first] = portion;
    const payload = portion.map(({ id, type, payload, occurredAt }) => ({ id, type, payload, occurredAt }));
    return {
      plugin: plugin.id,
      kind: 'event',
      name: first!.type,
      payload: gathering.has(first!.type) ? payload : payload[0],
      connectionId,
      id: uuidv5(`${portion.map(({ id }) => id).join()} ${plugin.id}`, DELIVERIES),
    };
  });
}

/** By type of event, what is gathered together with it. */
function gatheringOf({ cell, manifest }: ExpectedPlugin): ReadonlyMap<string, string> {
  if (!cell) return new Map(manifest.consumes?.map(type => [type, type]));
  return new Map(cell.handlers.events.filter(({ gathers }) => gathers).map(({ name, where }) => [name, where]));
}

function portions(events: readonly HubEvent[]): (readonly HubEvent[])[] {
  const count = Math.ceil(events.length / MOST_TOGETHER);
  return Array.from({ length: count }, (_, n) => events.slice(n * MOST_TOGETHER, (n + 1) * MOST_TOGETHER));
}
