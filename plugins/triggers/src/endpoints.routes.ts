import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type HubContext, OnRoute, type RouteAnswer, type RouteRequest } from '@rapport/plugin-sdk';
import { notFound, refusal } from './answers.js';
import { type Endpoint, rotated, shown } from './endpoint.js';
import { EVENTS } from './events.js';
import {
  addEndpoint,
  endpointIn,
  endpointsIn,
  forgetHealth,
  healthOf,
  keepEndpoint,
  MOST_ENDPOINTS,
  removeEndpoint,
} from './ledger.js';
import { newSecret } from './signature.js';
import { checkedWish, type Wish } from './wish.js';

const HOUR_MS = 3_600_000;
const USUAL_OVERLAP_HOURS = 24;

/** Values of headers are never shown. */
function withoutValues({ headers = {}, ...rest }: Partial<Endpoint>) {
  return { ...rest, headers: Object.keys(headers) };
}

const tooMany = refusal(
  { error: 'too_many_triggers', detail: `A workspace has at most ${MOST_ENDPOINTS}: delete one.` },
  409,
);

type NewTrigger = Wish & { url: string; dry_run?: boolean };

/** The addresses that are told of events. */
@Injectable()
export class Endpoints {
  @OnRoute('list')
  async list(_: RouteRequest<never>, hub: HubContext): Promise<RouteAnswer> {
    const triggers = (await endpointsIn(hub.store)).map(endpoint => withHealth(endpoint, hub));
    return { body: { triggers: await Promise.all(triggers), available_events: [...EVENTS] } };
  }

  @OnRoute('create')
  async create({ body }: RouteRequest<NewTrigger>, hub: HubContext): Promise<RouteAnswer> {
    const { dry_run: isRehearsal = false, ...wish } = body!;
    const checked = await checkedWish(wish, hub);
    if (!checked.ok) return refusal(checked);
    if ((await endpointsIn(hub.store)).length >= MOST_ENDPOINTS) {
      return tooMany;
    }
    const now = hub.clock.now().toISOString();
    const usual = { name: null, filter: {}, headers: {}, format: 'standard', active: true } as const;
    if (isRehearsal)
      return { body: { ok: true, trigger: withoutValues({ ...usual, ...checked.change }), dry_run: true } };
    const secret = newSecret();
    const own = { id: randomUUID(), secrets: [{ secret, until: null }], created_at: now, updated_at: now };
    const endpoint = { ...usual, ...checked.change, ...own } as Endpoint;
    if (!(await addEndpoint(hub.store, endpoint))) {
      await wake(endpoint, hub);
      return tooMany;
    }
    return { status: 201, body: { ok: true, trigger: { ...(await withHealth(endpoint, hub)), secret } } };
  }

  @OnRoute('read')
  read({ params }: RouteRequest<never>, hub: HubContext): Promise<RouteAnswer> {
    return forOne(params, hub, async endpoint => ({ body: { trigger: await withHealth(endpoint, hub) } }));
  }

  /** What waits is sent as the endpoint is by then; one that was disabled begins anew when it is made active. */
  @OnRoute('change')
  change({ params, body }: RouteRequest<Wish>, hub: HubContext): Promise<RouteAnswer> {
    return forOne(params, hub, async endpoint => {
      const checked = await checkedWish(body ?? {}, hub);
      if (!checked.ok) return refusal(checked);
      const changed = { ...endpoint, ...checked.change, updated_at: hub.clock.now().toISOString() };
      await keepEndpoint(hub.store, changed);
      if (body?.active) await forgetHealth(hub.store, endpoint.id);
      await wake(changed, hub);
      return { body: { trigger: await withHealth(changed, hub) } };
    });
  }

  @OnRoute('remove')
  remove({ params }: RouteRequest<never>, hub: HubContext): Promise<RouteAnswer> {
    return forOne(params, hub, async endpoint => {
      await removeEndpoint(hub.store, endpoint.id);
      await wake(endpoint, hub);
      return { body: { ok: true, id: endpoint.id } };
    });
  }

  /** The old secret signs beside the new one until receivers have had time to change. */
  @OnRoute('rotate')
  rotate({ params, body }: RouteRequest<{ overlap_hours?: number } | null>, hub: HubContext): Promise<RouteAnswer> {
    return forOne(params, hub, async endpoint => {
      const now = hub.clock.now();
      const secret = newSecret();
      const overlapMs = (body?.overlap_hours ?? USUAL_OVERLAP_HOURS) * HOUR_MS;
      const secrets = rotated(endpoint, secret, now.getTime(), overlapMs);
      await keepEndpoint(hub.store, { ...endpoint, secrets, updated_at: now.toISOString() });
      return { body: { ok: true, secret, previous_valid_until: secrets[1]?.until ?? null } };
    });
  }
}

/** Does something with the endpoint of the path. */
export async function forOne(
  params: RouteRequest['params'],
  { store }: HubContext,
  work: (endpoint: Endpoint) => Promise<RouteAnswer>,
): Promise<RouteAnswer> {
  const endpoint = await endpointIn(store, params['id']!.slice(0, 100));
  return endpoint ? work(endpoint) : notFound('trigger');
}

/** Has looked after what waits for an endpoint. */
export function wake({ id }: Pick<Endpoint, 'id'>, { jobs }: HubContext): Promise<void> {
  return jobs.emit('deliver', { endpoint: id }, { key: id, wake: true });
}

async function withHealth(endpoint: Endpoint, { store }: HubContext) {
  return shown(endpoint, await healthOf(store, endpoint.id));
}
