import type { ErrorObject } from 'ajv/dist/2020.js';
import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonSchema, Json } from '#sdk/schema.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { Plan } from '#domain/plans/tiers.js';
import type { RouteResponse, RouteRequest } from '#sdk/deliveries.js';
import type { UploadManifest } from '#sdk/manifest/manifest.js';
import { resolveBody, resolveStatus } from '#sdk/route-rules.js';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller, Scopes } from '#kernel/auth/caller.guard.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { HandlerResponse, withRequestId } from '#kernel/http/response.hook.js';
import { FileStore } from '#kernel/files/file-store.js';
import { liftTimeLimits } from '#kernel/http/long-requests.js';
import { getRoutes } from '#kernel/http/openapi/routes.js';
import { findMethods } from '#kernel/http/request.hooks.js';
import { toIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import { createSchemaValidator, toFieldPath, schemaMessages } from '../../schema-validation.js';
import { PluginRegistry, type ReadyPlugin } from '../../host/plugin.registry.js';
import { HandlerTimeoutError } from '../../container/deadline.js';
import {
  type MatchedRoute,
  matchRoute,
  RouteInvoker,
  requiredScopes,
  toRouteError,
  type UploadProgress,
} from './route.invoker.js';
import { sendFile } from './route-download.js';
import { RouteIdempotency } from './route.idempotency.js';
import { isStream, readUpload, type UploadLimits } from './upload.js';

const findErrors = createSchemaValidator({ validateFormats: false });

/**
 * Validates a query or a body against the schema that a route declares; without a schema everything is valid.
 * @throws HubError `invalid_request` with at most 20 problems, `unknown_query_param` for undeclared query parameters
 */
export function validateBySchema(part: 'query' | 'body', schema: JsonSchema | undefined, value: unknown): void {
  if (!schema) return;
  const errors = findErrors(schema, value);
  if (errors.length === 0) return;
  if (part === 'query' && errors.some(({ keyword }) => keyword === 'additionalProperties')) {
    throw new HubError('unknown_query_param', { extra: { supported: Object.keys(schema['properties'] ?? {}) } });
  }
  throw HubError.invalidRequest(errors.slice(0, 20).map(toProblem));
}

function toProblem(error: ErrorObject) {
  const field = toFieldPath(error) || '(body)';
  return { field, message: `${field} ${schemaMessages(error)}.` };
}

/** A route of a plugin that the caller may call. */
interface RouteDestination extends MatchedRoute {
  readonly plugin: ReadyPlugin;
}

/** How long the Idempotency-Key of an upload stays claimed if its process dies, in milliseconds. */
const UPLOAD_CLAIM_MS = 3_600_000;

/** What a route responded, without its status. */
type RouteContent = Omit<RouteResponse, 'status'>;

/** Serves the routes that plugins declare. Each route checks its own scopes, so the controller requires none. */
@ApiExcludeController()
@Scopes()
@Controller('v2/plugins')
export class PluginRoutesController {
  constructor(
    private readonly registry: PluginRegistry,
    private readonly invoker: RouteInvoker,
    private readonly idempotency: RouteIdempotency,
    private readonly files: FileStore,
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
    if (destination.route.upload) liftTimeLimits(request, reply);
    const { status, body: content, isReplay } = await this.respond(destination, request, caller);
    reply.status(status);
    if (isReplay) reply.header('Idempotent-Replayed', 'true');
    const { body, file, fileName, redirect } = content;
    const owner = { workspaceId: caller.workspaceId, plugin: destination.plugin.id };
    if (file !== undefined) return sendFile(this.files, owner, { file, fileName }, request, reply);
    if (redirect !== undefined) reply.header('location', redirect);
    if (body === undefined) return undefined;
    reply.header('content-type', 'application/json; charset=utf-8');
    return JSON.stringify(status < 400 ? body : withRequestId(body, reply));
  }

  /** Calls the route; a request other than GET runs once per Idempotency-Key. */
  private respond(
    destination: RouteDestination,
    request: FastifyRequest,
    caller: Caller,
  ): Promise<HandlerResponse<RouteContent>> {
    const { workspaceId } = caller;
    const timeoutMs = destination.route.upload ? UPLOAD_CLAIM_MS : this.env.requestTimeoutMs;
    const key = destination.route.method === 'GET' ? undefined : buildRequestKey(request);
    return this.idempotency.runOnce({ workspaceId, key, timeoutMs }, async () => {
      const response = await this.invoke(destination, request, caller);
      const { status: _status, ...content } = response;
      return new HandlerResponse(content, resolveStatus(response));
    });
  }

  private resolve({ method, url, server }: FastifyRequest, { plan }: Caller): RouteDestination {
    const path = url.split('?')[0]!;
    // The hub's own paths below a plugin, such as its runs, reach this controller only with a wrong method.
    const own = findMethods(getRoutes(server), path);
    if (own.length > 0) throw HubError.methodNotAllowed(own);
    const [, , , id, ...segments] = path.split('/').map(decodeURIComponent);
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
  ): Promise<RouteResponse> {
    const { connectionId, query } = takeConnectionId(plugin, parseQuery(request));
    validateBySchema('query', route.query, query);
    const { plan, scopes, workspaceId } = caller;
    const target = { workspaceId, plugin, name, connectionId, timeoutMs: this.env.requestTimeoutMs };
    const call = { method: route.method, params, query, caller: { plan, scopes } };
    if (route.upload)
      return this.receive(target, { ...call, body: undefined }, request, this.limitsFor(route.upload, plan));
    if (isStream(request.body)) throw new HubError('unsupported_media_type');
    const body = resolveBody(route.body, request.body as Json | undefined);
    validateBySchema('body', route.body, body ?? null);
    return this.invoker.invoke(target, { ...call, body }).catch(throwRouteError);
  }

  /** Calls a route with the file in a request. */
  private async receive(
    target: Parameters<RouteInvoker['invokeWithUpload']>[0],
    call: RouteRequest,
    request: FastifyRequest,
    limits: UploadLimits,
  ): Promise<RouteResponse> {
    let incoming: Awaited<ReturnType<typeof readUpload>> | undefined;
    const start = async (progress: UploadProgress) => {
      incoming = await readUpload(request, limits, progress);
      return { ...call, upload: incoming.upload };
    };
    try {
      return await this.invoker.invokeWithUpload(target, start);
    } catch (error) {
      const rejection = incoming?.rejection();
      if (rejection) throw rejection;
      if (error instanceof HandlerTimeoutError && !request.raw.complete)
        throw new HubError('request_timeout', {
          detail: `No bytes of the file arrived for ${target.timeoutMs} ms. Nothing was stored; send it again.`,
        });
      throw toRouteError(error);
    }
  }

  /** Returns the smaller one of the limits of the route and of the plan. */
  private limitsFor(upload: UploadManifest, plan: Plan): UploadLimits {
    const planBytes = this.files.maxBytes(plan);
    return planBytes < upload.maxBytes
      ? { ...upload, maxBytes: planBytes, limitedBy: `The plan ${plan}` }
      : { ...upload, limitedBy: 'This route' };
  }
}

function throwRouteError(error: unknown): never {
  throw toRouteError(error);
}

/**
 * Builds the idempotency key of a request. An upload is identified by its name, type and length, because it is not
 * read.
 */
function buildRequestKey({ headers, method, url, body }: FastifyRequest) {
  const { 'content-type': fullType = '', 'content-length': length, 'content-disposition': name } = headers;
  // The boundary of a form differs each time.
  const type = fullType.split(';')[0];
  return toIdempotencyKey(headers['idempotency-key'], method, url, isStream(body) ? [type, length, name] : body);
}

/** Takes the parameter out of a query that names one of several connections; it is the hub's, not the plugin's. */
function takeConnectionId({ manifest }: ReadyPlugin, query: Record<string, string>) {
  if (!manifest.multipleConnections) return { query };
  const { connection_id: connectionId, ...rest } = query;
  return { connectionId, query: rest };
}

/** Parses the query. If a parameter is repeated, the last value counts. */
function parseQuery({ url }: FastifyRequest): Record<string, string> {
  const text = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  return Object.fromEntries(new URLSearchParams(text));
}
