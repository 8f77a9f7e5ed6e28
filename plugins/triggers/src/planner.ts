import { Injectable } from '@nestjs/common';
import {
  type HubContext,
  type InteractionFacts,
  type LandedInteraction,
  OnEvent,
  type PluginEvent,
} from '@rapport/plugin-sdk';
import { type Delivery, deliveryId } from './delivery.js';
import type { Endpoint } from './endpoint.js';
import { passes } from './filter.js';
import { bodyOf } from './formats.js';
import { endpointsIn, plan, wasTold } from './ledger.js';
import { type Message, messageId, messageOf } from './message.js';

/** How far back it is looked for what landed before and has not come yet. */
const LOOK_BACK_MS = 10 * 60_000;

type Person = Extract<NonNullable<Awaited<ReturnType<HubContext['graph']['find']>>>, { status: 'one' }>['entity'];

/** Turns what has landed into deliveries. Whatever comes twice is planned once. */
@Injectable()
export class Planner {
  @OnEvent('reply.received')
  reply(event: PluginEvent<'reply.received'>, hub: HubContext): Promise<void> {
    return this.plan(event, hub);
  }

  @OnEvent('connection.accepted')
  connection(event: PluginEvent<'connection.accepted'>, hub: HubContext): Promise<void> {
    return this.plan(event, hub);
  }

  @OnEvent('meeting.scheduled')
  scheduled(event: PluginEvent<'meeting.scheduled'>, hub: HubContext): Promise<void> {
    return this.plan(event, hub);
  }

  @OnEvent('meeting.cancelled')
  cancelled(event: PluginEvent<'meeting.cancelled'>, hub: HubContext): Promise<void> {
    return this.plan(event, hub);
  }

  /**
   * Events come in any order. So what landed on the entity shortly before is planned first, if it was not yet; when its
   * own event comes it finds that done. The endpoints are woken each time: who came before may have died before that.
   */
  private async plan({ payload }: { readonly payload: InteractionFacts }, hub: HubContext): Promise<void> {
    const endpoints = await endpointsIn(hub.store);
    if (endpoints.length === 0) return;
    const found = await hub.graph.find(payload.entity_id);
    if (found?.status !== 'one') return;
    const woken = new Set<string>();
    for (const landed of await this.landedUpTo(payload, found.entity, hub)) {
      const isOwn = landed.observation.id === payload.observation_id;
      const told = endpoints.filter(endpoint => isTold(endpoint, landed, found.entity, isOwn));
      const isNew = !(await wasTold(hub.store, landed.observation.id));
      if (isNew) await plan(hub.store, landed.observation.id, deliveriesOf(told, landed, found.entity, hub));
      if (isNew || isOwn) for (const { id } of told) woken.add(id);
    }
    for (const endpoint of woken) await hub.jobs.emit('deliver', { endpoint }, { key: endpoint, wake: true });
  }

  private async landedUpTo(
    { observation_id }: InteractionFacts,
    { id }: Person,
    hub: HubContext,
  ): Promise<LandedInteraction[]> {
    const landed = await hub.graph.interactions(id, { until: observation_id });
    const since = hub.clock.now().getTime() - LOOK_BACK_MS;
    return landed.filter(
      ({ observation, recorded_at }) => observation.id === observation_id || Date.parse(recorded_at) > since,
    );
  }
}

/** What landed before an endpoint was there is none of its business. */
function isTold(
  endpoint: Endpoint,
  { event, recorded_at, observation }: LandedInteraction,
  who: Person,
  isOwn: boolean,
) {
  if (!endpoint.events.includes(event)) return false;
  if (!isOwn && Date.parse(recorded_at) < Date.parse(endpoint.created_at)) return false;
  return passes(endpoint.filter, who, observation.source);
}

function deliveriesOf(told: readonly Endpoint[], landed: LandedInteraction, who: Person, hub: HubContext) {
  const message = messageOf(landed, who);
  const now = hub.clock.now().toISOString();
  return told.map(endpoint => [endpoint.id, deliveryOf(message, endpoint, now)] as [string, Delivery]);
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
