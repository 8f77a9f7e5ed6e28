import { Injectable } from '@nestjs/common';
import type { HubContext, FailureResponse, RouteRequest, ResponseOf } from '@rapport/plugin-sdk';
import { toNotFoundResponse, toErrorResponse } from './responses.js';
import { type Delivery, deliveryId, deliveryTimeOf, toDeliveryResponse } from './delivery.js';
import type { Endpoint } from './endpoint.js';
import { withEndpoint, scheduleDelivery } from './endpoints.routes.js';
import { findDelivery, failedSince, readHealth, readLog, saveDeliveries } from './delivery-store.js';
import { parseInstant } from './schemas.js';
import { buildDelivery, buildSample } from './outgoing.js';
import { send, applySendResult } from './send.js';
import type { TriggerEvent } from './filter.js';
import { plugin } from './plugin.js';

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;
const MAX_PAGES_PER_CALL = 10;
const TEST_TIMEOUT_MS = 7_000;

/** What was sent to an endpoint, and sending it again. */
@Injectable()
export class DeliveryRoutes {
  @plugin.OnRoute('deliveries')
  list({ params, query }: RouteRequest<never>, hub: HubContext): Promise<ResponseOf<typeof plugin, 'deliveries'>> {
    return withEndpoint(params, hub, async endpoint => {
      const limit = Math.min(parseLimit(query['limit']), MAX_PAGE_SIZE);
      if (!(limit >= 1)) return toErrorResponse(invalidField('limit', 'a whole number from 1 to 100'));
      const before = query['cursor'];
      if (before !== undefined && !/^[0-9a-zA-Z-]{1,80}$/.test(before))
        return toErrorResponse(invalidField('cursor', 'the next_cursor of the page before'));
      const page = await readLog(hub.store, endpoint.id, { limit: limit + 1, ...(before !== undefined && { before }) });
      const has_more = page.length > limit;
      const deliveries = page.slice(0, limit);
      const next_cursor = has_more ? deliveries.at(-1)!.id : null;
      return { body: { deliveries: deliveries.map(toDeliveryResponse), limit, has_more, next_cursor } };
    });
  }

  @plugin.OnRoute('delivery')
  read({ params }: RouteRequest<never>, hub: HubContext): Promise<ResponseOf<typeof plugin, 'delivery'>> {
    return withDelivery(params, hub, async (_, delivery) => ({ body: { delivery: toDeliveryResponse(delivery) } }));
  }

  /** One that is waiting is tried now; one that has ended begins anew, under the same `webhook-id`. */
  @plugin.OnRoute('retry')
  retry({ params }: RouteRequest<never>, hub: HubContext): Promise<ResponseOf<typeof plugin, 'retry'>> {
    return withDelivery(params, hub, async (endpoint, delivery) => {
      if (await isDisabled(endpoint, hub)) return disabledResponse;
      const again = resetDelivery(delivery, hub);
      await saveDeliveries(hub.store, endpoint.id, [again]);
      await scheduleDelivery(endpoint, hub);
      return { status: 202, body: { ok: true, delivery: toDeliveryResponse(again) } };
    });
  }

  /** What failed for good and landed since then is sent again, as far as one call gets: `next_since` is where to go on. */
  @plugin.OnRoute('recover')
  recover(
    { params, body }: RouteRequest<{ since: string }>,
    hub: HubContext,
  ): Promise<ResponseOf<typeof plugin, 'recover'>> {
    return withEndpoint(params, hub, async endpoint => {
      const since = parseInstant(body!.since);
      if (since === undefined)
        return toErrorResponse(invalidField('since', 'an ISO 8601 time such as 2026-11-18T09:00:00Z'));
      if (await isDisabled(endpoint, hub)) return disabledResponse;
      let recovered = 0;
      let pages = 0;
      let next_since: string | null = null;
      for await (const page of failedSince(hub.store, endpoint.id, deliveryId(since, ''))) {
        const failed = page.filter(({ state }) => state === 'failed').map(delivery => resetDelivery(delivery, hub));
        if (failed.length > 0) await saveDeliveries(hub.store, endpoint.id, failed);
        recovered += failed.length;
        if (++pages < MAX_PAGES_PER_CALL) continue;
        next_since = deliveryTimeOf(page.at(-1) ?? { id: deliveryId(since, '') });
        break;
      }
      await scheduleDelivery(endpoint, hub);
      return { status: 202, body: { ok: true, recovered, has_more: next_since !== null, next_since } };
    });
  }

  /** Sends a sample at once, whatever the state of the endpoint, and tells what was answered. */
  @plugin.OnRoute('test')
  test(
    { params, body }: RouteRequest<{ event?: string } | null>,
    hub: HubContext,
  ): Promise<ResponseOf<typeof plugin, 'test'>> {
    return withEndpoint(params, hub, async endpoint => {
      const event = (body?.event ?? endpoint.events[0]) as TriggerEvent;
      const now = hub.clock.now().toISOString();
      const delivery = buildDelivery(buildSample(event, now), endpoint, now);
      const sent = await send(hub, endpoint, delivery, TEST_TIMEOUT_MS);
      const { delivery: tried } = applySendResult(
        sent,
        delivery,
        await readHealth(hub.store, endpoint.id),
        Date.parse(now),
      );
      const ended: Delivery = { ...tried, state: sent.outcome.kind };
      await saveDeliveries(hub.store, endpoint.id, [ended]);
      return { body: { delivered: sent.outcome.kind === 'delivered', delivery: toDeliveryResponse(ended) } };
    });
  }
}

function resetDelivery(delivery: Delivery, { clock }: HubContext): Delivery {
  return { ...delivery, state: 'waiting', failures: 0, next_at: clock.now().toISOString() };
}

const disabledResponse = toErrorResponse(
  { error: 'trigger_disabled', detail: 'Make it active first: PATCH {"active": true}.' },
  409,
);

async function isDisabled({ id }: Endpoint, { store }: HubContext): Promise<boolean> {
  return (await readHealth(store, id)).disabled !== null;
}

/** NaN for what is no whole number. */
function parseLimit(digits = String(DEFAULT_PAGE_SIZE)): number {
  return /^\d+$/.test(digits) ? Number(digits) : NaN;
}

function invalidField(field: string, what: string) {
  return { error: 'invalid_request', detail: `${field} must be ${what}.` };
}

function withDelivery<Found>(
  params: RouteRequest['params'],
  hub: HubContext,
  work: (endpoint: Endpoint, delivery: Delivery) => Promise<Found | FailureResponse>,
): Promise<Found | FailureResponse> {
  return withEndpoint(params, hub, async endpoint => {
    const delivery = await findDelivery(hub.store, endpoint.id, params['delivery']!.slice(0, 80));
    return delivery ? work(endpoint, delivery) : toNotFoundResponse('delivery');
  });
}
