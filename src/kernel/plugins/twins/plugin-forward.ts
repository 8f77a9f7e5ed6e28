import { Inject, Injectable } from '@nestjs/common';
import type { Json } from '#sdk/json.js';
import type { RouteManifest } from '#sdk/manifest.parts.js';
import type { Caller } from '#kernel/auth/caller.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { HubError } from '#kernel/errors/errors.js';
import { Answered } from '#kernel/idempotency/answered.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import { RouteAnswers } from '../doors/route-answers.js';
import { RouteCalls, scopesOf } from '../doors/route-calls.js';
import { checkBySchema } from '../doors/route-checks.js';
import { routeFailure } from '../doors/route-failure.js';
import { PluginCatalogue, type ReadyPlugin } from '../plugin-catalogue.js';

/** A route of a plugin that a door of the hub itself leads to. */
export interface Forward {
  /** Id of the plugin. */
  readonly plugin: string;
  /** Name of the route in its manifest. */
  readonly route: string;
  readonly body?: Json | undefined;
}

interface Destination {
  readonly plugin: ReadyPlugin;
  readonly route: RouteManifest;
}

/** Hands calls of the hub's own doors on to routes that plugins declare, by their names, for REST and tools alike. */
@Injectable()
export class PluginForward {
  constructor(
    private readonly catalogue: PluginCatalogue,
    private readonly calls: RouteCalls,
    private readonly answers: RouteAnswers,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /**
   * The answer of the route, once per key.
   * @throws HubError `plugin_not_installed`, `plan_required`, `forbidden_scope`, `invalid_request`
   */
  send(caller: Caller, forward: Forward, key?: IdempotencyKey): Promise<Answered<unknown>> {
    const { plugin, route } = this.destination(caller, forward);
    const timeoutMs = this.env.requestTimeoutMs;
    const { workspaceId, plan, scopes } = caller;
    const request = { method: route.method, params: {}, query: {}, body: forward.body, caller: { plan, scopes } };
    return this.answers.once({ workspaceId, key, timeoutMs }, async () => {
      const target = { workspaceId, plugin, name: forward.route, timeoutMs };
      const { status = 200, body } = await this.calls.call(target, request).catch(failed);
      return new Answered<unknown>(body ?? {}, status);
    });
  }

  private destination(caller: Caller, { plugin: id, route: name, body }: Forward): Destination {
    const plugin = this.catalogue.ready(id);
    if (!plugin) throw HubError.pluginNotInstalled(id, this.catalogue.list().find(each => each.id === id)?.reason);
    const route = plugin.manifest.routes?.[name];
    if (!route) throw HubError.pluginNotInstalled(id, `it has no route "${name}"`);
    for (const plan of [plugin.manifest.minPlan, route.minPlan]) {
      if (plan && !PlanGate.may(caller.plan, plan)) throw HubError.planRequired(plan);
    }
    const missing = scopesOf(route).find(scope => !caller.scopes.includes(scope));
    if (missing) throw HubError.missingScope(missing);
    if (route.method !== 'GET') checkBySchema('body', route.body, body ?? null);
    return { plugin, route };
  }
}

function failed(error: unknown): never {
  throw routeFailure(error);
}
