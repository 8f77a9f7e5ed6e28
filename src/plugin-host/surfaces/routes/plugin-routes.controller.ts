import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Json } from '#sdk/json.js';
import type { RouteResponse, RouteRequest } from '#sdk/deliveries.js';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Scopes } from '#kernel/auth/scopes.decorator.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/handler-response.js';
import { withRequestId } from '#kernel/http/response.hook.js';
import { toIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import { PluginRegistry, type ReadyPlugin } from '../../host/plugin.registry.js';
import { type MatchedRoute, matchRoute } from './match-route.js';
import { RouteIdempotency } from './route.idempotency.js';
import { RouteInvoker, requiredScopes, toRouteError } from './route.invoker.js';
import { validateBySchema } from './route-validation.js';
import { isStream, readUpload } from './upload.js';

/** A route of a plugin that the caller may call. */
interface RouteDestination extends MatchedRoute {
  readonly plugin: ReadyPlugin;
}

/** How long a route that accepts an upload may take, in milliseconds. */
const UPLOAD_TIMEOUT_MS = 300_000;

/** Serves the routes that plugins declare. Each route checks its own scopes, so the controller requires none. */
@ApiExcludeController()
@Scopes()
@Controller('v2/plugins')
export class PluginRoutesController {
  constructor(
    private readonly registry: PluginRegistry,
    private readonly invoker: RouteInvoker,
    private readonly idempotency: RouteIdempotency,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /**
   * Serves a request to a plugin route. Responds with 404 if the route does not exist or the plan does not include it,
   * and with 405 if only the method is wrong.
   */
  @All('*')
  async serve(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @CurrentCaller() caller: Caller,
  ): Promise<unknown> {
    const destination = this.resolve(request, caller);
    const missing = requiredScopes(destination.route).find(scope => !caller.scopes.includes(scope));
    if (missing) throw HubError.missingScope(missing);
    const { status, body, isReplay } = await this.respond(destination, request, caller);
    reply.status(status);
    if (isReplay) reply.header('Idempotent-Replayed', 'true');
    if (body === undefined) return undefined;
    reply.header('content-type', 'application/json; charset=utf-8');
    return JSON.stringify(status < 400 ? body : withRequestId(body, reply));
  }

  /** Calls the route; a request other than GET runs once per Idempotency-Key. */
  private respond(
    destination: RouteDestination,
    request: FastifyRequest,
    caller: Caller,
  ): Promise<HandlerResponse<unknown>> {
    const { workspaceId } = caller;
    const timeoutMs = destination.route.upload ? UPLOAD_TIMEOUT_MS : this.env.requestTimeoutMs;
    const key = destination.route.method === 'GET' ? undefined : buildRequestKey(request);
    return this.idempotency.runOnce({ workspaceId, key, timeoutMs }, async () => {
      const { status, body } = await this.invoke(destination, request, caller, timeoutMs);
      return new HandlerResponse(body, status ?? (body === undefined ? 204 : 200));
    });
  }

  private resolve({ method, url }: FastifyRequest, { plan }: Caller): RouteDestination {
    const [, , , id, ...segments] = url.split('?')[0]!.split('/').map(decodeURIComponent);
    const plugin = this.registry.findReady(id ?? '');
    if (!plugin) throw new HubError('not_found');
    const findRoute = (routeMethod: string) => {
      const matched = matchRoute(plugin.manifest.routes ?? {}, routeMethod, segments);
      return matched && PlanGate.isAllowed(plan, plugin.manifest.minPlan, matched.route.minPlan) ? matched : undefined;
    };
    const found = findRoute(method === 'HEAD' ? 'GET' : method);
    if (found) return { plugin, ...found };
    const allowed = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'].filter(findRoute);
    throw allowed.length > 0 ? HubError.methodNotAllowed(allowed) : new HubError('not_found');
  }

  private async invoke(
    { plugin, name, route, params }: RouteDestination,
    request: FastifyRequest,
    caller: Caller,
    timeoutMs: number,
  ): Promise<RouteResponse> {
    const incoming = route.upload ? readUpload(request, route.upload) : undefined;
    if (!incoming && isStream(request.body)) throw new HubError('unsupported_media_type');
    const query = parseQuery(request);
    validateBySchema('query', route.query, query);
    if (!incoming) validateBySchema('body', route.body, request.body ?? null);
    const delivery: RouteRequest = {
      method: route.method,
      params,
      query,
      body: incoming ? undefined : (request.body as Json | undefined),
      ...(incoming && { upload: incoming.upload }),
      caller: { plan: caller.plan, scopes: caller.scopes },
    };
    try {
      return await this.invoker.invoke({ workspaceId: caller.workspaceId, plugin, name, timeoutMs }, delivery);
    } catch (error) {
      throw incoming?.rejection() ?? toRouteError(error);
    }
  }
}

/**
 * Builds the idempotency key of a request. An upload is identified by its name, type and length, because it is not
 * read.
 */
function buildRequestKey({ headers, method, url, body }: FastifyRequest) {
  const { 'content-type': type, 'content-length': length, 'content-disposition': name } = headers;
  return toIdempotencyKey(headers['idempotency-key'], method, url, isStream(body) ? [type, length, name] : body);
}

/** Parses the query. If a parameter is repeated, the last value counts. */
function parseQuery({ url }: FastifyRequest): Record<string, string> {
  const text = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  return Object.fromEntries(new URLSearchParams(text));
}
