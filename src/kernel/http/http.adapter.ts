import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions, FastifyInstance, RawServerDefault } from 'fastify';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { TrustedProxies } from '#kernel/config/trust-proxy.js';
import { CooperativeScheduler } from '#kernel/scheduling/cooperative-scheduler.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { compressResponses } from './compression.js';
import type { Env } from '../config/env.js';
import { ErrorFilter } from '../errors/error.filter.js';
import { type Log, NestLogger } from '../telemetry/logger.js';
import { toErrorResponse, type ErrorFormatter } from '../errors/error-response.js';
import { DEFAULT_BODY_LIMITS, applyBodyLimit, registerJsonParser } from './json-parser.js';
import { isLongRequest } from './long-requests.js';
import { recordRoutes } from './openapi/routes.js';
import {
  closeConnectionsWhileDraining,
  registerRequestHooks,
  newRequestId,
  resolveRequestId,
  RequestLogger,
} from './request.hooks.js';
import { measureRequests } from '../telemetry/http.metrics.js';
import { METRICS } from '../telemetry/metrics.module.js';
import { DocsService } from './openapi/docs.service.js';
import { buildOpenApiDocument } from './openapi/openapi-document.js';
import { ReadinessService } from './shutdown.js';
import { RequestValidationPipe } from './request-validation.js';

const KNOWN_CODES = new Set(['HPE_HEADER_OVERFLOW', 'ERR_HTTP_REQUEST_TIMEOUT']);

/** Responds to a connection without a complete HTTP request (too slow, too large, malformed) and closes it. */
function respondToClientError(log: Log, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isLongRequest(socket)) return;
  const requestId = newRequestId();
  const thrown = KNOWN_CODES.has(error.code ?? '') ? error : createNotHttpError();
  const { status, headers, body } = toErrorResponse(thrown, { path: '', requestId }, []);
  log.debug({ status, code: error.code, request_id: requestId }, 'a connection sent no valid request');
  if (socket.writable) socket.write(serializeResponse(status, headers, JSON.stringify(body)));
  socket.destroySoon();
}

function createNotHttpError(): HubError {
  return new HubError('invalid_request', { detail: 'This is not a valid HTTP request.' });
}

function serializeResponse(status: number, headers: Readonly<Record<string, string>>, body: string): string {
  const all = { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

/** Long enough for a percent-encoded LinkedIn URL, the longest identifier in a path. */
const MAX_PATH_PARAM_LENGTH = 2_048;
const MAX_HEADER_BYTES = 16 * 1024;
/** How long a connection may be idle beyond the request timeout, in milliseconds. */
const IDLE_CONNECTION_GRACE_MS = 60_000;

declare module 'fastify' {
  interface FastifyInstance {
    /** Schedules the long work of all requests. */
    scheduler: CooperativeScheduler;
  }
}

/** Converts TRUST_PROXY to the form of Fastify, whose type has no number of hops. */
function toFastifyTrust(proxies: TrustedProxies): FastifyHttpOptions<RawServerDefault>['trustProxy'] {
  return typeof proxies === 'number' ? (_, hop) => hop < proxies : proxies && [...proxies];
}

/** Dependencies of the adapter. */
export interface AdapterOptions {
  readonly log: Log;
  readonly filter: ErrorFilter;
}

/**
 * Creates a Fastify adapter that is safe for untrusted clients: limited headers, bodies, paths and times, JSON only,
 * and one error format also for errors of Fastify and Node. While the server closes, requests on open connections are
 * still served.
 */
export function createAdapter(env: Env, { log, filter }: AdapterOptions): FastifyAdapter {
  const options: FastifyHttpOptions<RawServerDefault> = {
    loggerInstance: log,
    logController: new RequestLogger(log),
    childLoggerFactory: parent => parent,
    genReqId: resolveRequestId,
    trustProxy: toFastifyTrust(env.trustProxy),
    bodyLimit: DEFAULT_BODY_LIMITS.maxBytes,
    requestTimeout: env.requestTimeoutMs,
    connectionTimeout: env.requestTimeoutMs + IDLE_CONNECTION_GRACE_MS,
    http: { connectionsCheckingInterval: 500, headersTimeout: env.requestTimeoutMs, maxHeaderSize: MAX_HEADER_BYTES },
    routerOptions: { maxParamLength: MAX_PATH_PARAM_LENGTH },
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => filter.respond(error, request, reply),
    clientErrorHandler: (error, socket) => respondToClientError(log, error, socket),
  };
  const adapter = new FastifyAdapter({ ...options, skipMiddie: true, multipart: false });
  const fastify = adapter.getInstance<FastifyInstance>();
  fastify.addHook('onRoute', applyBodyLimit);
  recordRoutes(fastify);
  const scheduler = new CooperativeScheduler();
  fastify.decorate('scheduler', scheduler);
  registerJsonParser(fastify, scheduler);
  registerRequestHooks(fastify, env, scheduler);
  return adapter;
}

/** Options of {@link createHttpApp}. */
export interface HttpOptions {
  readonly env: Env;
  readonly log: Log;
  /** Formatters for paths that use another protocol. */
  readonly errorFormatters?: readonly ErrorFormatter[];
}

/**
 * Creates the Nest application of a root module on Fastify with all global parts: errors, validation, request
 * context, log, metrics, security headers, OpenAPI. The root must import {@link HttpModule}. The application does not
 * listen yet.
 */
export async function createHttpApp(
  root: Type | DynamicModule,
  { env, log, errorFormatters = [] }: HttpOptions,
): Promise<NestFastifyApplication> {
  const filter = new ErrorFilter(log, errorFormatters);
  const app = await NestFactory.create<NestFastifyApplication>(root, createAdapter(env, { log, filter }), {
    logger: new NestLogger(log),
    bodyParser: false,
    abortOnError: false,
  });
  await compressResponses(app.getHttpAdapter().getInstance());
  app.useGlobalFilters(filter);
  app.useGlobalPipes(new RequestValidationPipe());
  closeConnectionsWhileDraining(app.getHttpAdapter().getInstance(), app.get(ReadinessService, { strict: false }));
  measureRequests(app.getHttpAdapter().getInstance(), app.get(METRICS, { strict: false }));
  app.get(DocsService, { strict: false }).setDocumentBuilder(extend => buildOpenApiDocument(app, extend));
  return app;
}
