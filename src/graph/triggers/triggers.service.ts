import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/auth/caller.js';
import type { HandlerResponse } from '#kernel/http/handler-response.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { PluginRouteProxy } from '#plugin-host/surfaces/routes/plugin-route.proxy.js';
import { type SetTrigger, toTriggerBody } from './triggers.dto.js';

const LIST = { plugin: 'triggers', route: 'list' } as const;
const CREATE = { plugin: 'triggers', route: 'create' } as const;

/** Passes calls about triggers to the routes of the plugin `triggers`, which keeps the webhook endpoints. */
@Injectable()
export class TriggersService {
  constructor(private readonly proxy: PluginRouteProxy) {}

  /** Returns the webhook endpoints of the workspace, as the plugin returns them. @throws HubError plugin_not_installed */
  list(caller: Caller): Promise<HandlerResponse<unknown>> {
    return this.proxy.send(caller, LIST);
  }

  /** Creates a webhook endpoint; a dry run validates it and saves nothing. @throws HubError plugin_not_installed */
  set(caller: Caller, input: SetTrigger, key?: IdempotencyKey): Promise<HandlerResponse<unknown>> {
    const body = toTriggerBody(input);
    if (!input.dry_run) return this.proxy.send(caller, { ...CREATE, body }, key);
    return this.proxy.send(caller, { ...CREATE, body: { ...body, dry_run: true } });
  }
}
