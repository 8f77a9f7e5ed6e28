import { Injectable } from '@nestjs/common';
import { type HubContext, type LandedInteraction, OnEvents, type PluginEvent } from '@rapport/plugin-sdk';
import { type Delivery, deliveryId } from './delivery.js';
import type { Endpoint } from './endpoint.js';
import { EVENTS, type TriggerEvent } from './events.js';
import { passes } from './filter.js';
import { bodyOf } from './formats.js';
import { endpointsIn, plan, type Plan, toldAmong } from './ledger.js';
import { type Message, messageId, messageOf } from './message.js';
import { storiesOf, type Story } from './stories.js';

/** Turns what has landed into deliveries. Whatever comes twice is planned once. */
@Injectable()
export class Planner {
  /**
   * Events come in any order. So what landed on an entity shortly before is planned first, if it was not yet; when its
   * own event comes it finds that done. The endpoints are woken each time: who came before may have died before that.
   */
  @OnEvents(...EVENTS)
  async plan(events: readonly PluginEvent<TriggerEvent>[], hub: HubContext): Promise<void> {
    const endpoints = await endpointsIn(hub.store);
    if (endpoints.length === 0) return;
    const stories = await storiesOf(events, hub);
    const all = stories.flatMap(({ landed }) => landed.map(({ observation }) => observation.id));
    const told = await toldAmong(hub.store, [...new Set(all)]);
    const plans: Plan[] = [];
    const woken = new Set<string>();
    for (const { story, landed } of stories.flatMap(eachOf)) {
      const isOwn = story.own.has(landed.observation.id);
      const isNews = !told.has(landed.observation.id);
      if (!isOwn && !isNews) continue;
      const listeners = endpoints.filter(endpoint => isTold(endpoint, landed, story, isOwn));
      for (const { id } of listeners) woken.add(id);
      if (isNews) plans.push(planOf(landed, story, listeners, hub));
    }
    await plan(hub.store, plans);
    for (const id of woken) await hub.jobs.emit('deliver', { endpoint: id }, { key: id, wake: true });
  }
}

function eachOf(story: Story) {
  return story.landed.map(landed => ({ story, landed }));
}

/** What landed before an endpoint was there is none of its business. */
function isTold(
  endpoint: Endpoint,
  { event, recorded_at, observation }: LandedInteraction,
  { who }: Story,
  isOwn: boolean,
): boolean {
  if (!endpoint.events.includes(event)) return false;
  if (!isOwn && Date.parse(recorded_at) < Date.parse(endpoint.created_at)) return false;
  return passes(endpoint.filter, who, observation.source);
}

function planOf(landed: LandedInteraction, { who }: Story, listeners: readonly Endpoint[], hub: HubContext): Plan {
  const message = messageOf(landed, who);
  const now = hub.clock.now().toISOString();
  const deliveries = listeners.map(endpoint => [endpoint.id, deliveryOf(message, endpoint, now)] as const);
  return { observation: landed.observation.id, deliveries };
}

/** A message on its way, to be sent now. */
export function deliveryOf(message: Message, { format }: Pick<Endpoint, 'format'>, now: string): Delivery {
  const { observation, entity } = message.data;
  return {
    id: deliveryId(message.timestamp, observation.id),
    message_id: messageId(observation.id),
    event: message.type,
    entity_id: entity.id,
    body: bodyOf(format, message),
    state: 'waiting',
    failures: 0,
    next_at: now,
    created_at: now,
    attempts: [],
  };
}
