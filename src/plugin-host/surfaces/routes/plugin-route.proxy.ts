import { Inject, Injectable } from '@nestjs/common';
import { resolveBody } from '#sdk/route-rules.js';
import type { Json } from '#sdk/schema.js';
import type { RouteManifest } from '#sdk/manifest/manifest.js';
import type { Caller } from '#kernel/auth/caller.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import { RouteIdempotency } from './route.idempotency.js';
import { RouteInvoker, requiredScopes, toRouteError } from './route.invoker.js';
import { validateBySchema } from './plugin-routes.controller.js';
import { PluginRegistry, type ReadyPlugin } from '../../host/plugin.registry.js';

/** A call of a plugin route by an endpoint or tool of the hub. */
export interface ProxyRequest {
  /** Id of the plugin. */
  readonly plugin: string;
  /** Name of the route in its manifest. */
  readonly route: string;
  /** Values of the parameters in the route's path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Json | undefined;
}

interface ProxyDestination {
  readonly plugin: ReadyPlugin;
  readonly route: RouteManifest;
}

/** Forwards calls of the hub's own endpoints and tools to plugin routes, by the name of the route. */
@Injectable()
export class PluginRouteProxy {
  constructor(
    private readonly registry: PluginRegistry,
    private readonly invoker: RouteInvoker,
    private readonly idempotency: RouteIdempotency,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /**
   * Returns the response of the route; runs it once per idempotency key.
   * @throws HubError `plugin_not_installed`, `plan_required`, `forbidden_scope`, `invalid_request`
   */
  send(caller: Caller, request: ProxyRequest, key?: IdempotencyKey): Promise<HandlerResponse<unknown>> {
    const { plugin, route } = this.resolve(caller, request);
    const timeoutMs = this.env.requestTimeoutMs;
    const { workspaceId, plan, scopes } = caller;
    const { params = {}, query = {} } = request;
    const input = resolveBody(route.body, request.body);
    const routeRequest = { method: route.method, params, query, body: input, caller: { plan, scopes } };
    return this.idempotency.runOnce({ workspaceId, key, timeoutMs }, async () => {
      const target = { workspaceId, plugin, name: request.route, timeoutMs };
      const { status = 200, body } = await this.invoker.invoke(target, routeRequest).catch(throwRouteError);
      return new HandlerResponse<unknown>(body ?? {}, status);
    });
  }

  private resolve(caller: Caller, { plugin: id, route: name, query, body }: ProxyRequest): ProxyDestination {
    const plugin = this.registry.findReady(id);
    if (!plugin) throw HubError.pluginNotInstalled(id, this.registry.list().find(each => each.id === id)?.reason);
    const route = plugin.manifest.routes?.[name];
    if (!route) throw HubError.pluginNotInstalled(id, `it has no route "${name}"`);
    for (const plan of [plugin.manifest.minPlan, route.minPlan]) {
      if (plan && !PlanGate.isAllowed(caller.plan, plan)) throw HubError.planRequired(plan);
    }
    const missing = requiredScopes(route).find(scope => !caller.scopes.includes(scope));
    if (missing) throw HubError.missingScope(missing);
    validateBySchema('query', route.query, query ?? {});
    if (route.method !== 'GET') validateBySchema('body', route.body, resolveBody(route.body, body) ?? null);
    return { plugin, route };
  }
}

function throwRouteError(error: unknown): never {
  throw toRouteError(error);
}
