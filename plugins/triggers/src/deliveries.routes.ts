import { Injectable } from '@nestjs/common';
import { type HubContext, OnRoute, type RouteAnswer, type RouteRequest } from '@rapport/plugin-sdk';
import { notFound, refusal } from './answers.js';
import { type Delivery, deliveryId, shownDelivery } from './delivery.js';
import type { Endpoint } from './endpoint.js';
import { forOne, wake } from './endpoints.routes.js';
import { deliveryIn, endedSince, healthOf, logOf, settle } from './ledger.js';
import { deliveryOf } from './planner.js';
import { sampleOf } from './sample.js';
import { send, settledBy } from './send.js';
import type { TriggerEvent } from './events.js';

const USUAL_PAGE = 50;
const MOST_PAGE = 100;
const PAGES_AT_ONCE = 10;
const TEST_TIMEOUT_MS = 7_000;

/** What was sent to an endpoint, and sending it again. */
@Injectable()
export class Deliveries {
  @OnRoute('deliveries')
  list({ params, query }: RouteRequest<never>, hub: HubContext): Promise<RouteAnswer> {
    return forOne(params, hub, async endpoint => {
      const limit = Math.min(Number(query['limit'] ?? USUAL_PAGE), MOST_PAGE);
      if (!Number.isInteger(limit) || limit < 1) return refusal(badQuery('limit', 'a whole number from 1 to 100'));
      const before = query['cursor'];
      if (before !== undefined && !/^[0-9a-zA-Z-]{1,80}$/.test(before))
        return refusal(badQuery('cursor', 'next_cursor'));
      const page = await logOf(hub.store, endpoint.id, { limit: limit + 1, ...(before !== undefined && { before }) });
      const has_more = page.length > limit;
      const deliveries = page.slice(0, limit);
      const next_cursor = has_more ? deliveries.at(-1)!.id : null;
      return { body: { deliveries: deliveries.map(shownDelivery), limit, has_more, next_cursor } };
    });
  }

  @OnRoute('delivery')
  read({ params }: RouteRequest<never>, hub: HubContext): Promise<RouteAnswer> {
    return forDelivery(params, hub, async (_, delivery) => ({ body: { delivery: shownDelivery(delivery) } }));
  }

  /** One that is waiting is tried now; one that has ended begins anew, under the same `webhook-id`. */
  @OnRoute('retry')
  retry({ params }: RouteRequest<never>, hub: HubContext): Promise<RouteAnswer> {
    return forDelivery(params, hub, async (endpoint, delivery) => {
      const again = anew(delivery, hub);
      await settle(hub.store, endpoint.id, [again]);
      await wake(endpoint, hub);
      return { status: 202, body: { ok: true, delivery: shownDelivery(again) } };
    });
  }

  /** What failed for good and landed since then is sent again. */
  @OnRoute('recover')
  recover({ params, body }: RouteRequest<{ since: string }>, hub: HubContext): Promise<RouteAnswer> {
    return forOne(params, hub, async endpoint => {
      const since = Date.parse(body!.since);
      if (Number.isNaN(since)) return refusal({ error: 'invalid_request', detail: 'since is no ISO 8601 time.' });
      if ((await healthOf(hub.store, endpoint.id)).disabled) {
        return refusal({ error: 'trigger_disabled', detail: 'Make it active first: PATCH {"active": true}.' }, 409);
      }
      let recovered = 0;
      let pages = 0;
      for await (const page of endedSince(hub.store, endpoint.id, deliveryId(new Date(since).toISOString(), ''))) {
        const failed = page.filter(({ state }) => state === 'failed').map(delivery => anew(delivery, hub));
        if (failed.length > 0) await settle(hub.store, endpoint.id, failed);
        recovered += failed.length;
        if (++pages >= PAGES_AT_ONCE) break;
      }
      await wake(endpoint, hub);
      return { status: 202, body: { ok: true, recovered, has_more: pages >= PAGES_AT_ONCE } };
    });
  }

  /** Sends a sample at once, whatever the state of the endpoint, and tells what was answered. */
  @OnRoute('test')
  test({ params, body }: RouteRequest<{ event?: string } | null>, hub: HubContext): Promise<RouteAnswer> {
    return forOne(params, hub, async endpoint => {
      const event = (body?.event ?? endpoint.events[0]) as TriggerEvent;
      const now = hub.clock.now().toISOString();
      const delivery = deliveryOf(sampleOf(event, now), endpoint, now);
      const sent = await send(hub, endpoint, delivery, TEST_TIMEOUT_MS);
      const { delivery: tried } = settledBy(sent, delivery, await healthOf(hub.store, endpoint.id), Date.parse(now));
      const ended: Delivery = { ...tried, state: sent.outcome.kind };
      await settle(hub.store, endpoint.id, [ended]);
      return { body: { delivered: sent.outcome.kind === 'delivered', delivery: shownDelivery(ended) } };
    });
  }
}

function anew(delivery: Delivery, { clock }: HubContext): Delivery {
  return { ...delivery, state: 'waiting', failures: 0, next_at: clock.now().toISOString() };
}

function badQuery(field: string, what: string) {
  return { error: 'invalid_request', detail: `${field} must be ${what}.` };
}

function forDelivery(
  params: RouteRequest['params'],
  hub: HubContext,
  work: (endpoint: Endpoint, delivery: Delivery) => Promise<RouteAnswer>,
): Promise<RouteAnswer> {
  return forOne(params, hub, async endpoint => {
    const delivery = await deliveryIn(hub.store, endpoint.id, params['delivery']!.slice(0, 80));
    return delivery ? work(endpoint, delivery) : notFound('delivery');
  });
}
