import { Injectable } from '@nestjs/common';
import type { RouteManifest } from '#sdk/manifest/manifest.js';
import type { RouteResponse, RouteRequest } from '#sdk/deliveries.js';
import { isPermanentError, isRetryLater, isUnreachable } from '#sdk/errors.js';
import { parseRouteResponse } from '#sdk/route-rules.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { Scope } from '#kernel/auth/caller.js';
import { withIdleDeadline, HandlerTimeoutError, withDeadline } from '../../container/deadline.js';
import { DeliveryContextFactory } from '../../context/delivery-context.factory.js';
import type { ReadyPlugin } from '../../host/plugin.registry.js';

/** The declared route that matches a request. */
export interface MatchedRoute {
  readonly name: string;
  readonly route: RouteManifest;
  /** Values of its `:parameters`. */
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Finds the route for a method and the decoded segments of a path. If several routes match, the one with literal
 * segments further to the left wins: `calls/latest` before `calls/:id`.
 */
export function matchRoute(
  routes: Readonly<Record<string, RouteManifest>>,
  method: string,
  segments: readonly string[],
): MatchedRoute | undefined {
  const matches = Object.entries(routes).flatMap(([name, route]) => {
    const pattern = route.path.split('/');
    const params = route.method === method ? matchParams(pattern, segments) : undefined;
    return params
      ? [{ name, route, params, rank: pattern.map(part => (part.startsWith(':') ? '1' : '0')).join('') }]
      : [];
  });
  return matches.toSorted((a, b) => (a.rank < b.rank ? -1 : 1))[0];
}

function matchParams(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index]!;
    if (part.startsWith(':') && segment !== '') params[part.slice(1)] = segment;
    else if (part !== segment) return undefined;
  }
  return params;
}

/** A call of a plugin route for a workspace. */
export interface RouteTarget {
  readonly workspaceId: string;
  readonly plugin: ReadyPlugin;
  /** Name of the route in the manifest. */
  readonly name: string;
  /** The connection that the caller has named. */
  readonly connectionId?: string | undefined;
  /** How long the handler may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** Connects an upload with the time limit of its request. */
export interface UploadProgress {
  readonly signal: AbortSignal;
  /** Restarts the time limit. */
  readonly onBytes: () => void;
}

/** Calls the handlers of plugin routes. Callers check scopes, plan and schema first. */
@Injectable()
export class RouteInvoker {
  constructor(private readonly contexts: DeliveryContextFactory) {}

  /**
   * Returns the response of the handler.
   * @throws the handler's errors, HandlerTimeoutError, and TypeError for an invalid response
   */
  async invoke({ timeoutMs, ...target }: RouteTarget, request: RouteRequest): Promise<RouteResponse> {
    return withDeadline({ timeoutMs }, signal => this.call(target, request, signal));
  }

  /**
   * Returns the response of a handler that receives an upload. It may take any time, as long as bytes arrive: `timeoutMs`
   * limits the time between them, and the time after the last one.
   * @param receive starts the upload; called with what restarts the time limit
   */
  async invokeWithUpload(
    target: RouteTarget,
    receive: (progress: UploadProgress) => Promise<RouteRequest>,
  ): Promise<RouteResponse> {
    return withIdleDeadline(target.timeoutMs, async (signal, onBytes) =>
      this.call(target, await receive({ signal, onBytes }), signal),
    );
  }

  private async call(
    { workspaceId, plugin, name, connectionId }: Omit<RouteTarget, 'timeoutMs'>,
    request: RouteRequest,
    signal: AbortSignal,
  ): Promise<RouteResponse> {
    const handler = plugin.container.handlers.routes.find(each => each.name === name)!;
    const hub = await this.contexts.createForCall({ workspaceId, plugin, connectionId, signal });
    return parseRouteResponse(await plugin.container.call(handler, request, hub));
  }
}

/** Returns the scopes that a route requires. Default: `read` for GET, else `write`. */
export function requiredScopes({ scopes, method }: RouteManifest): readonly Scope[] {
  return scopes ?? [method === 'GET' ? 'read' : 'write'];
}

/** Maps errors of the SDK that a route handler throws to hub errors; returns all other errors unchanged. */
export function toRouteError(error: unknown): unknown {
  if (error instanceof HubError) return error;
  if (error instanceof HandlerTimeoutError)
    return HubError.unavailable('The plugin took too long. The request may have taken effect.', error);
  if (isPermanentError(error) && error.cause instanceof HubError) return error.cause;
  if (isPermanentError(error)) return new HubError('invalid_request', { detail: error.message, cause: error });
  if (isRetryLater(error)) {
    const seconds = Math.max(1, Math.ceil(error.afterMs / 1000));
    return HubError.unavailable('The plugin cannot handle the request now. Try again later.', error, seconds);
  }
  if (isUnreachable(error)) return HubError.unavailable('The provider of this plugin does not respond.', error);
  return error;
}
