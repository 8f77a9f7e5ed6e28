import type { FastifyInstance } from 'fastify';
import type { Env } from '#kernel/config/env.js';
import { runInRequest } from '#kernel/request-context.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { CooperativeScheduler } from '#kernel/scheduling/cooperative-scheduler.js';
import { RequestTimeouts } from './request-timeouts.js';
import {
  publicCorsHeaders,
  corsHeaders,
  allowsAnyOrigin,
  preflightHeaders,
  buildSecurityHeaders,
} from './security-headers.js';

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
    if (request.url.includes('%00')) return done(createNulInUrlError());
    const now = performance.now();
    timeouts.start(reply, now);
    runInRequest({ requestId: request.id, deadline: now + env.requestTimeoutMs, scheduler }, done);
  });

  fastify.addHook('onResponse', (_, reply, done) => {
    timeouts.finish(reply);
    done();
  });
}

/** Rejects a NUL, because PostgreSQL cannot store it. */
function createNulInUrlError(): HubError {
  return HubError.invalidRequest([{ field: 'url', message: 'The address holds a NUL character (%00).' }]);
}
