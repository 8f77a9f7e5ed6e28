import { Injectable } from '@nestjs/common';
import type { HubContext, InteractionRecord, PluginEvent } from '@rapport/plugin-sdk';
import { buildDelivery } from './outgoing.js';
import type { Endpoint } from './endpoint.js';
import { INTERACTION_EVENTS, type InteractionEvent, matchesFilter } from './filter.js';
import { listEndpoints, savePlans, type DeliveryPlan, findDelivered } from './delivery-store.js';
import { buildMessage } from './message.js';
import { readTimelines, type EntityTimeline } from './entity-timelines.js';
import { plugin } from './plugin.js';

/** Creates deliveries for recorded interactions, each only once. */
@Injectable()
export class Planner {
  /**
   * Events arrive in any order, so recent earlier interactions of the entity are planned first; their own events then
   * find them done. The delivery job is scheduled each time, because an earlier run may have crashed before it.
   */
  @plugin.OnEvents(...INTERACTION_EVENTS)
  async plan(events: readonly PluginEvent<InteractionEvent>[], hub: HubContext): Promise<void> {
    const endpoints = await listEndpoints(hub.store);
    if (endpoints.length === 0) return;
    const stories = await readTimelines(events, hub);
    const all = stories.flatMap(({ interactions }) => interactions.map(({ observation }) => observation.id));
    const received = await findDelivered(hub.store, [...new Set(all)]);
    const plans: DeliveryPlan[] = [];
    const woken = new Set<string>();
    for (const { story, landed } of stories.flatMap(toPairs)) {
      const isOwn = story.requestedIds.has(landed.observation.id);
      const isNews = !received.has(landed.observation.id);
      if (!isOwn && !isNews) continue;
      const listeners = endpoints.filter(endpoint => shouldDeliver(endpoint, landed, story, isOwn));
      for (const { id } of listeners) woken.add(id);
      if (isNews) plans.push(buildPlan(landed, story, listeners, hub));
    }
    await savePlans(hub.store, plans);
    for (const id of woken) await hub.jobs.emit('deliver', { endpoint: id }, { key: id, wake: true });
  }
}

function toPairs(story: EntityTimeline) {
  return story.interactions.map(landed => ({ story, landed }));
}

/** Checks whether an endpoint receives an interaction. Interactions older than the endpoint are skipped. */
function shouldDeliver(
  endpoint: Endpoint,
  { event, recorded_at, observation }: InteractionRecord,
  { entity }: EntityTimeline,
  isOwn: boolean,
): boolean {
  if (!endpoint.events.includes(event)) return false;
  if (!isOwn && Date.parse(recorded_at) < Date.parse(endpoint.created_at)) return false;
  return matchesFilter(endpoint.filter, entity, observation.source);
}

function buildPlan(
  landed: InteractionRecord,
  { entity }: EntityTimeline,
  listeners: readonly Endpoint[],
  hub: HubContext,
): DeliveryPlan {
  const outgoing = { message: buildMessage(landed, entity), key: landed.observation.id, subjectId: entity.id };
  const now = hub.clock.now().toISOString();
  const deliveries = listeners.map(endpoint => [endpoint.id, buildDelivery(outgoing, endpoint, now)] as const);
  return { observation: landed.observation.id, deliveries };
}
