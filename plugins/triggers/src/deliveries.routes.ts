import { Injectable } from '@nestjs/common';
import { type HubContext, OnRoute, type RouteAnswer, type RouteRequest } from '@rapport/plugin-sdk';
import { notFound, refusal } from './answers.js';
import { type Delivery, deliveryId, landedAt, shownDelivery } from './delivery.js';
import type { Endpoint } from './endpoint.js';
import { forOne, wake } from './endpoints.routes.js';
import { deliveryIn, endedSince, healthOf, logOf, settle } from './ledger.js';
import { instantOf } from './instant.js';
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
      const limit = Math.min(numberOf(query['limit']), MOST_PAGE);
      if (!(limit >= 1)) return refusal(badField('limit', 'a whole number from 1 to 100'));
      const before = query['cursor'];
      if (before !== undefined && !/^[0-9a-zA-Z-]{1,80}$/.test(before))
        return refusal(badField('cursor', 'the next_cursor of the page before'));
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
      if (await isDisabled(endpoint, hub)) return disabled;
      const again = anew(delivery, hub);
      await settle(hub.store, endpoint.id, [again]);
      await wake(endpoint, hub);
      return { status: 202, body: { ok: true, delivery: shownDelivery(again) } };
    });
  }

  /** What failed for good and landed since then is sent again, as far as one call gets: `next_since` is where to go on. */
  @OnRoute('recover')
  recover({ params, body }: RouteRequest<{ since: string }>, hub: HubContext): Promise<RouteAnswer> {
    return forOne(params, hub, async endpoint => {
      const since = instantOf(body!.since);
      if (since === undefined) return refusal(badField('since', 'an ISO 8601 time such as 2026-11-18T09:00:00Z'));
      if (await isDisabled(endpoint, hub)) return disabled;
      let recovered = 0;
      let pages = 0;
      let next_since: string | null = null;
      for await (const page of endedSince(hub.store, endpoint.id, deliveryId(since, ''))) {
        const failed = page.filter(({ state }) => state === 'failed').map(delivery => anew(delivery, hub));
        if (failed.length > 0) await settle(hub.store, endpoint.id, failed);
        recovered += failed.length;
        if (++pages < PAGES_AT_ONCE) continue;
        next_since = landedAt(page.at(-1) ?? { id: deliveryId(since, '') });
        break;
      }
      await wake(endpoint, hub);
      return { status: 202, body: { ok: true, recovered, has_more: next_since !== null, next_since } };
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

const disabled = refusal({ error: 'trigger_disabled', detail: 'Make it active first: PATCH {"active": true}.' }, 409);

async function isDisabled({ id }: Endpoint, { store }: HubContext): Promise<boolean> {
  return (await healthOf(store, id)).disabled !== null;
}

/** NaN for what is no whole number. */
function numberOf(digits = String(USUAL_PAGE)): number {
  return /^\d+$/.test(digits) ? Number(digits) : NaN;
}

function badField(field: string, what: string) {
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
