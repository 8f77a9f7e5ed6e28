import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions, FastifyInstance, RawServerDefault } from 'fastify';
import type { Env } from '#kernel/config/env.js';
import type { ErrorFilter } from '#kernel/errors/error.filter.js';
import { CooperativeScheduler } from '#kernel/scheduling/cooperative-scheduler.js';
import type { Log } from '#kernel/telemetry/logger.js';
import { applyBodyLimit, DEFAULT_BODY_LIMITS } from './body-limit.js';
import { answerClientError } from './client.errors.js';
import { readJsonOnly } from './json.parser.js';
import { listRoutes } from './openapi/routes.js';
import { installRequestHooks } from './request-hooks.js';
import { requestIdOf } from './request-id.js';
import { RequestLog } from './request-log.js';

/** A LinkedIn address, percent-encoded, is the longest identifier that a path may hold. */
const LONGEST_PATH_PART = 2_048;
const HEADER_BYTES = 16 * 1024;
/** How long a connection may stand still beyond the time of a request. */
const STILL_MS = 60_000;

declare module 'fastify' {
  interface FastifyInstance {
    /** Grants turns to the long work of all requests, and knows their largest slice. */
    scheduler: CooperativeScheduler;
  }
}

/** What the adapter needs of the house. */
export interface AdapterParts {
  readonly log: Log;
  readonly filter: ErrorFilter;
}

/**
 * Fastify, set up for strangers: bounded headers, bodies, paths and times, JSON only, one error body also for what
 * Fastify and Node refuse by themselves. Requests that arrive on an open connection while the server closes are still
 * served.
 */
export function createAdapter(env: Env, { log, filter }: AdapterParts): FastifyAdapter {
  const options: FastifyHttpOptions<RawServerDefault> = {
    loggerInstance: log,
    logController: new RequestLog(log),
    childLoggerFactory: parent => parent,
    genReqId: requestIdOf,
    trustProxy: false,
    bodyLimit: DEFAULT_BODY_LIMITS.maxBytes,
    requestTimeout: env.requestTimeoutMs,
    connectionTimeout: env.requestTimeoutMs + STILL_MS,
    http: { connectionsCheckingInterval: 500, headersTimeout: env.requestTimeoutMs, maxHeaderSize: HEADER_BYTES },
    routerOptions: { maxParamLength: LONGEST_PATH_PART },
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => filter.answer(error, request, reply),
    clientErrorHandler: (error, socket) => answerClientError(log, error, socket),
  };
  const adapter = new FastifyAdapter({ ...options, skipMiddie: true, multipart: false });
  const fastify = adapter.getInstance<FastifyInstance>();
  fastify.addHook('onRoute', applyBodyLimit);
  listRoutes(fastify);
  const scheduler = new CooperativeScheduler();
  fastify.decorate('scheduler', scheduler);
  readJsonOnly(fastify, scheduler);
  installRequestHooks(fastify, env, scheduler);
  return adapter;
}
