import type { FastifyInstance } from 'fastify';
import type { Env } from '#kernel/config/env.js';
import { inRequest } from '#kernel/context/request-context.js';
import { HubError } from '#kernel/errors/errors.js';
import type { CooperativeScheduler } from '#kernel/scheduling/cooperative-scheduler.js';
import { Overdue } from './overdue.js';
import { anyPageHeaders, browserHeaders, isOpenToPages, preflightHeaders, securityHeaders } from './security.js';

/** Services that know the deadline answer first; this long after it the house speaks for those that do not. */
const GRACE_MS = 1_000;

/**
 * Gives every request its context (id and deadline, found by whatever it sets off), every answer its id and the
 * security headers, and answers preflights. An answer that is overdue is replaced by 503. While the server closes,
 * every answer asks the caller to take its next request elsewhere.
 */
export function installRequestHooks(fastify: FastifyInstance, env: Env, scheduler: CooperativeScheduler): void {
  const constant = securityHeaders(env);
  const overdue = new Overdue(fastify, env.requestTimeoutMs + GRACE_MS);

  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(constant);
    if (request.headers.origin !== undefined) reply.headers(browserHeaders);
    if (!fastify.server.listening) reply.header('connection', 'close');
    if (request.method === 'OPTIONS') {
      if (isOpenToPages(request.url)) reply.headers(anyPageHeaders);
      return void reply.status(204).headers(preflightHeaders).send();
    }
    if (request.url.includes('%00')) return done(nulInUrl());
    const now = performance.now();
    overdue.begin(reply, now);
    inRequest({ requestId: request.id, deadline: now + env.requestTimeoutMs, scheduler }, done);
  });

  fastify.addHook('onResponse', (_, reply, done) => {
    overdue.end(reply);
    done();
  });
}

/** No text of ours holds a NUL, and PostgreSQL refuses one. */
function nulInUrl(): HubError {
  return HubError.invalidRequest([{ field: 'url', message: 'The address holds a NUL character (%00).' }]);
}
