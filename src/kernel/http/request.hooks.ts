import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Env } from '#kernel/config/env.js';
import { runInRequest } from '#kernel/request-context.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { PeriodicTimer } from '#kernel/scheduling/periodic-timer.js';
import type { CooperativeScheduler } from '#kernel/scheduling/cooperative-scheduler.js';
import {
  allowsAnyOrigin,
  buildSecurityHeaders,
  corsHeaders,
  preflightHeaders,
  publicCorsHeaders,
} from './security-headers.js';

const SWEEP_INTERVAL_MS = 250;

/**
 * Responds with 503 to requests that exceed their time limit. Checking the oldest ones four times a second costs far
 * less than a timer for each request.
 */
class RequestTimeouts {
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

  /** Removes a request that has its response. */
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
 * response (ID and security), and responds to preflights. A response that is overdue is replaced by 503. While the
 * server closes, responses ask the client to close the connection.
 */
export function registerRequestHooks(fastify: FastifyInstance, env: Env, scheduler: CooperativeScheduler): void {
  const securityHeaders = buildSecurityHeaders(env);
  const timeouts = new RequestTimeouts(fastify, env.requestTimeoutMs + TIMEOUT_GRACE_MS);

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
