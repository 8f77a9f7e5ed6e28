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
    const landed = await this.landedUpTo(payload, found.entity, hub);
    const woken = new Set(landed.slice(-1).flatMap(own => toldOf(endpoints, own, found.entity, true)));
    for (const each of await untold(landed, hub)) {
      const told = toldOf(endpoints, each, found.entity, each === landed.at(-1));
      await plan(hub.store, each.observation.id, deliveriesOf(told, each, found.entity, hub));
      for (const endpoint of told) woken.add(endpoint);
    }
    for (const { id } of woken) await hub.jobs.emit('deliver', { endpoint: id }, { key: id, wake: true });
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

/** Those that were not told, in their order. Whoever told one had told those before it. */
async function untold(landed: readonly LandedInteraction[], { store }: HubContext): Promise<LandedInteraction[]> {
  const found: LandedInteraction[] = [];
  for (const each of landed.toReversed()) {
    if (await wasTold(store, each.observation.id)) break;
    found.unshift(each);
  }
  return found;
}

/** The endpoints that are told of it. */
function toldOf(endpoints: readonly Endpoint[], landed: LandedInteraction, who: Person, isOwn: boolean): Endpoint[] {
  return endpoints.filter(endpoint => isTold(endpoint, landed, who, isOwn));
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
