import { Injectable } from '@nestjs/common';
import type { RouteResponse, RouteRequest } from '#sdk/deliveries.js';
import type { RouteManifest } from '#sdk/manifest.parts.js';
import type { Scope } from '#kernel/auth/caller.js';
import { withDeadline } from '../../container/deadline.js';
import { DeliveryContextFactory } from '../../context/delivery-context.factory.js';
import type { ReadyPlugin } from '../../host/plugin.registry.js';

/** A route of a plugin that is called for a workspace. */
export interface RouteTarget {
  readonly workspaceId: string;
  readonly plugin: ReadyPlugin;
  /** Name of the route in the manifest. */
  readonly name: string;
  /** How long the handler may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** Calls the handlers of routes. Who may, and whether the request is sound, was settled before. */
@Injectable()
export class RouteInvoker {
  constructor(private readonly contexts: DeliveryContextFactory) {}

  /** What the handler answers. @throws what it throws, and TypeError for what is no RouteAnswer */
  async invoke({ workspaceId, plugin, name, timeoutMs }: RouteTarget, request: RouteRequest): Promise<RouteResponse> {
    const handler = plugin.container.handlers.routes.find(each => each.name === name)!;
    const returned = await withDeadline({ timeoutMs }, async signal => {
      const hub = await this.contexts.createForCall({ workspaceId, plugin, signal });
      return plugin.container.call(handler, request, hub);
    });
    return toRouteResponse(returned);
  }
}

/** The scopes that a route asks for. */
export function requiredScopes({ scopes, method }: RouteManifest): readonly Scope[] {
  return scopes ?? [method === 'GET' ? 'read' : 'write'];
}

function toRouteResponse(returned: unknown): RouteResponse {
  if (returned === undefined || returned === null) return {};
  if (typeof returned !== 'object') throw new TypeError('a route of a plugin returned no RouteAnswer');
  const { status } = returned as RouteResponse;
  const isValid = status === undefined || (Number.isInteger(status) && status >= 200 && status <= 599);
  if (!isValid) throw new TypeError(`a route of a plugin answered with the status ${String(status)}`);
  return returned;
}
