import { type FastifyReply, type FastifyRequest, LogController, type FastifyInstance } from 'fastify';
import { readClientLabel } from '#kernel/auth/caller.guard.js';
import { FloodGate } from '#kernel/telemetry/throttled-logger.js';
import { type Log, withoutRedaction } from '#kernel/telemetry/logger.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { type Route, getRoutes } from './openapi/routes.js';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Env } from '#kernel/config/env.js';
import type { ReadinessService } from './shutdown.js';
import { liftDeadline, runInRequest } from '#kernel/request-context.js';
import { PeriodicTimer } from '#kernel/scheduling/periodic-timer.js';
import type { CooperativeScheduler } from '#kernel/scheduling/cooperative-scheduler.js';
import {
  allowsAnyOrigin,
  buildSecurityHeaders,
  corsHeaders,
  preflightHeaders,
  publicCorsHeaders,
} from './security-headers.js';

/** Routes that monitoring requests every few seconds; logged at `info` only if they fail. */
const PROBE_ROUTES = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Writes one log line per request: caller, method, route, status and duration. Never bodies, headers, paths or query
 * values: a path can hold the token of a webhook or the address of a person. Refused requests without a valid key are
 * logged up to a bound for each route and status, so that a flood of them does not fill the log.
 */
export class RequestLogger extends LogController {
  private readonly logger: Log;
  private readonly refusals = new FloodGate();

  constructor(log: Log) {
    super();
    this.logger = withoutRedaction(log);
  }

  override incomingRequest(): void {}

  override routeNotFound(): void {}

  override defaultErrorLog(): void {}

  override requestCompleted(_: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const route = toLoggedRoute(request);
    const level = PROBE_ROUTES.has(route) && reply.statusCode < 400 ? 'debug' : 'info';
    if (!this.logger.isLevelEnabled(level)) return;
    const isRefusal = reply.statusCode >= 400 && request.caller === undefined;
    const more = isRefusal ? this.refusals.admit(`${reply.statusCode} ${route}`) : {};
    if (!more) return;
    this.logger[level](
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        request_id: request.id,
        actor_kind: request.caller?.actor.kind,
        actor_id: request.caller?.actor.id,
        workspace_id: request.caller?.workspaceId,
        client: readClientLabel(request.headers),
        ...more,
      },
      'request',
    );
  }

  override streamError(error: Error, request: FastifyRequest): void {
    request.log.info({ err: error, request_id: request.id }, 'a response was interrupted');
  }

  override writeHeadError(error: Error, request: FastifyRequest): void {
    request.log.warn({ err: error, request_id: request.id }, 'response headers could not be written');
  }
}

/** Returns the pattern of the route that serves a request, such as `/v2/people/:id`; `(none)` if none does. */
export function toLoggedRoute({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? '(none)';
}

/**
 * Responds with 405 and the supported methods if a path exists but not for the method. Register it after
 * authentication, so that unauthenticated callers learn nothing from it.
 */
export function registerMethodNotAllowed(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _, done) => {
    if (!request.is404) return done();
    const methods = findMethods(getRoutes(fastify), request.url.split('?')[0]!);
    if (methods.length === 0) return done();
    done(HubError.methodNotAllowed(methods));
  });
}

/** Returns the methods of a path in alphabetical order; empty if the path does not exist. */
export function findMethods(routes: readonly Route[], path: string): string[] {
  const segments = path.split('/');
  const matching = routes.filter(route => isPathMatch(route.path.split('/'), segments));
  return [...new Set(matching.map(({ method }) => method))].toSorted();
}

function isPathMatch(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]))
  );
}

const ACCEPTED_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/;
const MAX_COUNT = 16 ** 7;

/** Distinguishes this process from all others; begins with the variant digit of a UUID. */
const processSuffix = randomUUID().slice(19, 32);
let count = 0;

/**
 * Returns the ID of a request: the caller's `x-request-id` if it has 8 to 64 letters, digits, dots, dashes or
 * underscores, else a new one.
 */
export function resolveRequestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED_ID.test(given) ? given : newRequestId();
}

/**
 * Creates a UUIDv7 from the time, a counter and a suffix of this process: unique and ordered, but not secret. Random
 * bits for each request would cost more than routing it.
 */
export function newRequestId(): string {
  count = (count + 1) % MAX_COUNT;
  const time = Date.now().toString(16).padStart(12, '0');
  const number = count.toString(16).padStart(7, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${number.slice(0, 3)}-${processSuffix}${number.slice(3)}`;
}

const SWEEP_INTERVAL_MS = 250;
/** How long no byte of a stream may be taken until its connection is closed, in milliseconds. */
const MAX_SILENCE_MS = 60_000;

declare module 'fastify' {
  interface FastifyInstance {
    /** The time limits of open requests. */
    requestTimeouts: RequestTimeouts;
  }
}

/**
 * Responds with 503 to requests without a response at the end of their time limit. Checking the oldest ones four times a second costs far
 * less than a timer for each request.
 */
export class RequestTimeouts {
  /**
   * Deadline of each open request in milliseconds of `performance.now()`. All have the same time limit, so the oldest
   * come first.
   */
  private readonly openRequests = new Map<FastifyReply, number>();

  constructor(
    fastify: FastifyInstance,
    private readonly timeoutMs: number,
  ) {
    const run = () => this.expire(performance.now());
    const sweep = new PeriodicTimer({ intervalMs: SWEEP_INTERVAL_MS, run }).start();
    fastify.addHook('onClose', (_, done) => {
      void sweep.stop();
      done();
    });
  }

  /** Starts the time limit of a request. */
  start(reply: FastifyReply, now: number): void {
    this.openRequests.set(reply, now + this.timeoutMs);
  }

  /** Removes a request that has its response, or that no time limit applies to. */
  finish(reply: FastifyReply): void {
    this.openRequests.delete(reply);
  }

  /** Also removes requests whose client has disconnected. */
  private expire(now: number): void {
    for (const [reply, overdueAt] of this.openRequests) {
      if (overdueAt > now) return;
      this.openRequests.delete(reply);
      if (!reply.sent) reply.send(createTimeoutError());
    }
  }
}

function createTimeoutError(): HubError {
  return HubError.unavailable(
    'The answer took longer than this service allows. With an Idempotency-Key it is safe to send the request again.',
  );
}

/** Services that observe the deadline respond first; requests of others are ended after this, in milliseconds. */
const TIMEOUT_GRACE_MS = 1_000;

/**
 * Sets up the context of every request (ID and deadline, propagated through its async calls) and the headers of every
 * response (ID and security), and responds to preflights. A response that is overdue is replaced by 503. A stream, such
 * as an export, must begin in time and may then take any time, unless its receiver takes no byte for a minute. While
 * the server closes, responses ask the client to close the connection.
 */
export function registerRequestHooks(fastify: FastifyInstance, env: Env, scheduler: CooperativeScheduler): void {
  const securityHeaders = buildSecurityHeaders(env);
  const timeouts = new RequestTimeouts(fastify, env.requestTimeoutMs + TIMEOUT_GRACE_MS);
  fastify.decorate('requestTimeouts', timeouts);

  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(securityHeaders);
    if (request.headers.origin !== undefined) reply.headers(corsHeaders);
    if (!fastify.server.listening) reply.header('connection', 'close');
    if (request.method === 'OPTIONS') {
      if (allowsAnyOrigin(request.url)) reply.headers(publicCorsHeaders);
      return void reply.status(204).headers(preflightHeaders).send();
    }
    if (countHosts(request.raw.rawHeaders) > 1) return done(createHostsError());
    if (request.url.includes('%00')) return done(createNulInUrlError());
    if (!isPlain(request.headers['content-encoding'])) {
      reply.header('accept-encoding', 'identity');
      return done(createEncodedBodyError());
    }
    const now = performance.now();
    timeouts.start(reply, now);
    runInRequest({ requestId: request.id, deadline: now + env.requestTimeoutMs, scheduler, peer: request }, done);
  });

  fastify.addHook('onSend', (_, reply, payload, done) => {
    if (payload instanceof Readable) {
      liftDeadline();
      timeouts.finish(reply);
      // A socket with unsent bytes times out at the end of the second period in which none is sent.
      reply.raw.setTimeout(MAX_SILENCE_MS / 2);
    }
    done(null, payload);
  });

  fastify.addHook('onResponse', (_, reply, done) => {
    timeouts.finish(reply);
    done();
  });
}

/** Counts the Host headers as received; Node's own map silently keeps the first. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]!.toLowerCase() === 'host') count++;
  return count;
}

/** Rejects a repeated Host, because a proxy in front and the hub could each trust another one (RFC 9112, section 3.2). */
function createHostsError(): HubError {
  return HubError.invalidRequest([{ field: 'host', message: 'The header Host is sent more than once.' }]);
}

/** Rejects a NUL, because PostgreSQL cannot store it. */
function createNulInUrlError(): HubError {
  return HubError.invalidRequest([{ field: 'url', message: 'The address holds a NUL character (%00).' }]);
}

/** Returns whether a body with this `Content-Encoding` is sent as it is. Nothing is decompressed: a small body could grow without bound. */
function isPlain(contentEncoding: string | undefined): boolean {
  return contentEncoding === undefined || /^(?:identity)?$/i.test(contentEncoding);
}

function createEncodedBodyError(): HubError {
  return new HubError('unsupported_media_type', {
    detail: 'Compressed bodies are not accepted. Send the body without `Content-Encoding`.',
  });
}

/**
 * Asks clients for a new connection after each request that comes while the process drains. An idle connection that is closed in
 * the moment its client sends a request would fail that request.
 */
export function closeConnectionsWhileDraining(fastify: FastifyInstance, readiness: ReadinessService): void {
  // Not on responses to earlier requests: another one may already stand behind them on the same connection.
  fastify.addHook('onRequest', (_request, reply, done) => {
    if (readiness.isDraining) reply.header('connection', 'close');
    done();
  });
}
