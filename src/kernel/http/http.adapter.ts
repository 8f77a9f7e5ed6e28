import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions, FastifyInstance, RawServerDefault } from 'fastify';
import type { Env } from '#kernel/config/env.js';
import type { ErrorFilter } from '#kernel/errors/error.filter.js';
import { CooperativeScheduler } from '#kernel/scheduling/cooperative-scheduler.js';
import type { Log } from '#kernel/telemetry/logger.js';
import { applyBodyLimit, DEFAULT_BODY_LIMITS } from './body-limit.decorator.js';
import { respondToClientError } from './client-errors.js';
import { registerJsonParser } from './json-parser.js';
import { recordRoutes } from './openapi/routes.js';
import { registerRequestHooks } from './request.hooks.js';
import { resolveRequestId } from './request-id.js';
import { RequestLogger } from './request-logger.js';

/** A LinkedIn address, percent-encoded, is the longest identifier that a path may hold. */
const MAX_PATH_PARAM_LENGTH = 2_048;
const MAX_HEADER_BYTES = 16 * 1024;
/** How long a connection may stand still beyond the time of a request. */
const IDLE_CONNECTION_GRACE_MS = 60_000;

declare module 'fastify' {
  interface FastifyInstance {
    /** Grants turns to the long work of all requests, and knows their largest slice. */
    scheduler: CooperativeScheduler;
  }
}

/** What the adapter needs of the house. */
export interface AdapterOptions {
  readonly log: Log;
  readonly filter: ErrorFilter;
}

/**
 * Fastify, set up for strangers: bounded headers, bodies, paths and times, JSON only, one error body also for what
 * Fastify and Node refuse by themselves. Requests that arrive on an open connection while the server closes are still
 * served.
 */
export function createAdapter(env: Env, { log, filter }: AdapterOptions): FastifyAdapter {
  const options: FastifyHttpOptions<RawServerDefault> = {
    loggerInstance: log,
    logController: new RequestLogger(log),
    childLoggerFactory: parent => parent,
    genReqId: resolveRequestId,
    trustProxy: false,
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
