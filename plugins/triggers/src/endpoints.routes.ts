import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { HubContext, JsonObject, FailureResponse, RouteRequest, ResponseOf } from '@rapport/plugin-sdk';
import { toNotFoundResponse, toErrorResponse } from './responses.js';
import { type Endpoint, rotateSecrets, toEndpointResponse, toLockedResponse } from './endpoint.js';
import { EVENTS } from './filter.js';
import {
  addEndpoint,
  findEndpoint,
  listEndpoints,
  listShownEndpoints,
  resetHealth,
  readHealth,
  saveEndpoint,
  MAX_ENDPOINTS,
  removeEndpoint,
} from './delivery-store.js';
import { generateSecret } from './send.js';
import { validateEndpoint, type EndpointInput } from './endpoint.input.js';
import { plugin } from './plugin.js';

const HOUR_MS = 3_600_000;
const DEFAULT_OVERLAP_HOURS = 24;

/** Values of headers are never shown. */
function maskHeaders({ headers = {}, ...rest }: Partial<Endpoint>) {
  return { ...rest, headers: Object.keys(headers) };
}

const tooManyResponse = toErrorResponse(
  { error: 'too_many_triggers', detail: `A workspace has at most ${MAX_ENDPOINTS}: delete one.` },
  409,
);

type CreateEndpointInput = EndpointInput & { url: string; dry_run?: boolean };

/** The addresses that are told of events. */
@Injectable()
export class EndpointRoutes {
  @plugin.OnRoute('list')
  async list(_: RouteRequest<never>, hub: HubContext): Promise<ResponseOf<typeof plugin, 'list'>> {
    const triggers = (await listShownEndpoints(hub.store)).map(each =>
      'endpoint' in each ? toEndpointResponse(each.endpoint, each.health) : toLockedResponse(each.id, each.updatedAt),
    );
    return { body: { triggers, available_events: [...EVENTS] } };
  }

  @plugin.OnRoute('create')
  async create(
    { body }: RouteRequest<CreateEndpointInput>,
    hub: HubContext,
  ): Promise<ResponseOf<typeof plugin, 'create'>> {
    const { dry_run: isRehearsal = false, ...input } = body!;
    const checked = await validateEndpoint(input, hub);
    if (!checked.ok) return toErrorResponse(checked);
    if ((await listEndpoints(hub.store)).length >= MAX_ENDPOINTS) {
      return tooManyResponse;
    }
    const now = hub.clock.now().toISOString();
    const usual = { name: null, filter: {}, headers: {}, format: 'standard', active: true } as const;
    if (isRehearsal)
      return { body: { ok: true, trigger: maskHeaders({ ...usual, ...checked.change }), dry_run: true } };
    const secret = generateSecret();
    const own = { id: randomUUID(), secrets: [{ secret, until: null }], created_at: now, updated_at: now };
    const endpoint = { ...usual, ...checked.change, ...own } as Endpoint;
    const act = { action: 'create', objectId: endpoint.id, after: toAuditedSettings(endpoint) };
    if (!(await addEndpoint(hub.store, endpoint, act))) {
      await scheduleDelivery(endpoint, hub);
      return tooManyResponse;
    }
    return { status: 201, body: { ok: true, trigger: { ...(await presentEndpoint(endpoint, hub)), secret } } };
  }

  @plugin.OnRoute('read')
  read({ params }: RouteRequest<never>, hub: HubContext): Promise<ResponseOf<typeof plugin, 'read'>> {
    return withEndpoint(params, hub, async endpoint => ({ body: { trigger: await presentEndpoint(endpoint, hub) } }));
  }

  /** What waits is sent as the endpoint is by then; one that was disabled begins anew when it is made active. */
  @plugin.OnRoute('change')
  change({ params, body }: RouteRequest<EndpointInput>, hub: HubContext): Promise<ResponseOf<typeof plugin, 'change'>> {
    return withEndpoint(params, hub, async endpoint => {
      const checked = await validateEndpoint(body ?? {}, hub);
      if (!checked.ok) return toErrorResponse(checked);
      const changed = { ...endpoint, ...checked.change, updated_at: hub.clock.now().toISOString() };
      const [before, after] = [toAuditedSettings(endpoint), toAuditedSettings(changed)];
      await saveEndpoint(hub.store, changed, { action: 'change', objectId: endpoint.id, before, after });
      if (body?.active) await resetHealth(hub.store, endpoint.id);
      await scheduleDelivery(changed, hub);
      return { body: { trigger: await presentEndpoint(changed, hub) } };
    });
  }

  @plugin.OnRoute('remove')
  remove({ params }: RouteRequest<never>, hub: HubContext): Promise<ResponseOf<typeof plugin, 'remove'>> {
    return withEndpoint(params, hub, async endpoint => {
      const before = toAuditedSettings(endpoint);
      await removeEndpoint(hub.store, endpoint.id, { action: 'delete', objectId: endpoint.id, before });
      await scheduleDelivery(endpoint, hub);
      return { body: { ok: true, id: endpoint.id } };
    });
  }

  /** The old secret signs beside the new one until receivers have had time to change. */
  @plugin.OnRoute('rotate')
  rotate(
    { params, body }: RouteRequest<{ overlap_hours?: number } | null>,
    hub: HubContext,
  ): Promise<ResponseOf<typeof plugin, 'rotate'>> {
    return withEndpoint(params, hub, async endpoint => {
      const now = hub.clock.now();
      const secret = generateSecret();
      const overlapMs = (body?.overlap_hours ?? DEFAULT_OVERLAP_HOURS) * HOUR_MS;
      const secrets = rotateSecrets(endpoint, secret, now.getTime(), overlapMs);
      const act = {
        action: 'rotate_secret',
        objectId: endpoint.id,
        after: { previous_valid_until: secrets[1]?.until ?? null },
      };
      await saveEndpoint(hub.store, { ...endpoint, secrets, updated_at: now.toISOString() }, act);
      return { body: { ok: true, secret, previous_valid_until: secrets[1]?.until ?? null } };
    });
  }
}

/** Returns the settings for the audit log. The path of a URL and the values of headers may be secret. */
function toAuditedSettings({ url, events, filter, headers, format, active }: Endpoint): JsonObject {
  const { origin } = new URL(url);
  return { origin, events: [...events], filter: Object.keys(filter), headers: Object.keys(headers), format, active };
}

/** Does something with the endpoint of the path. */
export async function withEndpoint<Found>(
  params: RouteRequest['params'],
  { store }: HubContext,
  work: (endpoint: Endpoint) => Promise<Found | FailureResponse>,
): Promise<Found | FailureResponse> {
  const endpoint = await findEndpoint(store, params['id']!.slice(0, 100));
  return endpoint ? work(endpoint) : toNotFoundResponse('trigger');
}

/** Has looked after what waits for an endpoint. */
export function scheduleDelivery({ id }: Pick<Endpoint, 'id'>, { jobs }: HubContext): Promise<void> {
  return jobs.emit('deliver', { endpoint: id }, { key: id, wake: true });
}

async function presentEndpoint(endpoint: Endpoint, { store }: HubContext) {
  return toEndpointResponse(endpoint, await readHealth(store, endpoint.id));
}
