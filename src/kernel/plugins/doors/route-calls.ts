import { Injectable } from '@nestjs/common';
import type { RouteAnswer, RouteRequest } from '#sdk/deliveries.js';
import type { RouteManifest } from '#sdk/manifest.parts.js';
import type { Scope } from '#kernel/auth/caller.js';
import { limited } from '../cell/limit.js';
import { DeliveryContexts } from '../delivery-contexts.js';
import type { ReadyPlugin } from '../plugin-catalogue.js';

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
export class RouteCalls {
  constructor(private readonly contexts: DeliveryContexts) {}

  /** What the handler answers. @throws what it throws, and TypeError for what is no RouteAnswer */
  async call({ workspaceId, plugin, name, timeoutMs }: RouteTarget, request: RouteRequest): Promise<RouteAnswer> {
    const handler = plugin.cell.handlers.routes.find(each => each.name === name)!;
    const returned = await limited({ timeoutMs }, async signal => {
      const hub = await this.contexts.forCall({ workspaceId, plugin, signal });
      return plugin.cell.call(handler, request, hub);
    });
    return answerOf(returned);
  }
}

/** The scopes that a route asks for. */
export function scopesOf({ scopes, method }: RouteManifest): readonly Scope[] {
  return scopes ?? [method === 'GET' ? 'read' : 'write'];
}

function answerOf(returned: unknown): RouteAnswer {
  if (returned === undefined || returned === null) return {};
  if (typeof returned !== 'object') throw new TypeError('a route of a plugin returned no RouteAnswer');
  const { status } = returned as RouteAnswer;
  const sound = status === undefined || (Number.isInteger(status) && status >= 200 && status <= 599);
  if (!sound) throw new TypeError(`a route of a plugin answered with the status ${String(status)}`);
  return returned;
}
