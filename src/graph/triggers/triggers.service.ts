import { Injectable } from '@nestjs/common';
import type { Json } from '#sdk/schema.js';
import type { Caller } from '#kernel/auth/caller.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { PluginRouteProxy, type ProxyRequest } from '#plugin-host/surfaces/routes/plugin-route.proxy.js';
import {
  type ChangeTrigger,
  type RecoverTrigger,
  type RotateTriggerSecret,
  type SetTrigger,
  type TestTrigger,
  type TriggerDeliveriesQuery,
  toTriggerBody,
} from './triggers.dto.js';

const PLUGIN = 'triggers';

/** Passes calls about triggers to the routes of the plugin `triggers`, which keeps the webhook endpoints. */
@Injectable()
export class TriggersService {
  constructor(private readonly proxy: PluginRouteProxy) {}

  /** Returns the webhook endpoints of the workspace, as the plugin returns them. @throws HubError plugin_not_installed */
  list(caller: Caller): Promise<HandlerResponse<unknown>> {
    return this.send(caller, { route: 'list' });
  }

  /** Creates a webhook endpoint; a dry run validates it and saves nothing. @throws HubError plugin_not_installed */
  set(caller: Caller, input: SetTrigger, key?: IdempotencyKey): Promise<HandlerResponse<unknown>> {
    const body = toTriggerBody(input);
    if (!input.dry_run) return this.send(caller, { route: 'create', body }, key);
    return this.send(caller, { route: 'create', body: { ...body, dry_run: true } });
  }

  /** Returns one webhook endpoint with its health, without its secret. */
  read(caller: Caller, id: string): Promise<HandlerResponse<unknown>> {
    return this.send(caller, { route: 'read', params: { id } });
  }

  /** Changes, pauses or resumes a webhook endpoint. */
  change(caller: Caller, id: string, input: ChangeTrigger, key?: IdempotencyKey): Promise<HandlerResponse<unknown>> {
    return this.send(caller, { route: 'change', params: { id }, body: toJson(input) }, key);
  }

  /** Deletes a webhook endpoint and the deliveries that wait for it. */
  remove(caller: Caller, id: string, key?: IdempotencyKey): Promise<HandlerResponse<unknown>> {
    return this.send(caller, { route: 'remove', params: { id } }, key);
  }

  /** Issues a new signing secret; the previous one stays valid for a while. */
  rotateSecret(
    caller: Caller,
    id: string,
    input: RotateTriggerSecret = {},
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<unknown>> {
    return this.send(caller, { route: 'rotate', params: { id }, body: toJson(input) }, key);
  }

  /** Sends a sample event at once and returns the delivery. */
  test(caller: Caller, id: string, input: TestTrigger = {}, key?: IdempotencyKey): Promise<HandlerResponse<unknown>> {
    return this.send(caller, { route: 'test', params: { id }, body: toJson(input) }, key);
  }

  /** Returns the deliveries of a webhook endpoint, newest first, page by page. */
  listDeliveries(
    caller: Caller,
    id: string,
    { limit, cursor }: TriggerDeliveriesQuery,
  ): Promise<HandlerResponse<unknown>> {
    const query = { ...(limit !== undefined && { limit: String(limit) }), ...(cursor !== undefined && { cursor }) };
    return this.send(caller, { route: 'deliveries', params: { id }, query });
  }

  /** Returns one delivery with its attempts. */
  readDelivery(caller: Caller, id: string, delivery: string): Promise<HandlerResponse<unknown>> {
    return this.send(caller, { route: 'delivery', params: { id, delivery } });
  }

  /** Sends a delivery again, under the same `webhook-id`. */
  retryDelivery(caller: Caller, id: string, delivery: string, key?: IdempotencyKey): Promise<HandlerResponse<unknown>> {
    return this.send(caller, { route: 'retry', params: { id, delivery } }, key);
  }

  /** Sends again the deliveries that failed for good since a time. */
  recover(caller: Caller, id: string, input: RecoverTrigger, key?: IdempotencyKey): Promise<HandlerResponse<unknown>> {
    return this.send(caller, { route: 'recover', params: { id }, body: toJson(input) }, key);
  }

  private send(
    caller: Caller,
    request: Omit<ProxyRequest, 'plugin'>,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<unknown>> {
    return this.proxy.send(caller, { plugin: PLUGIN, ...request }, key);
  }
}

/** Returns the fields that a body has, as JSON. */
function toJson(input: object): Json {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Json;
}
