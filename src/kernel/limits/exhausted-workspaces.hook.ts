import type { FastifyInstance } from 'fastify';
import '#kernel/auth/current-caller.decorator.js';
import { createRateLimitedError, setRateLimitHeaders } from '#kernel/http/rate-limit.guard.js';
import type { WorkspaceRateLimiter } from './workspace-rate-limiter.js';

/** Refuses a request before its body is read if its workspace has used its limit. Runs after the key was looked up. */
export function rejectExhaustedWorkspaces(fastify: FastifyInstance, limiter: WorkspaceRateLimiter): void {
  fastify.addHook('onRequest', ({ caller }, reply, done) => {
    const usage = caller && limiter.check(caller);
    if (!usage || usage.isAdmitted) return done();
    setRateLimitHeaders(reply, usage);
    done(createRateLimitedError(usage));
  });
}
