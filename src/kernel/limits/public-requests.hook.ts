import type { FastifyInstance } from 'fastify';
import { isProtectedPath } from '#kernel/auth/early-auth.hook.js';
import { readClientAddress, toNetwork } from './client-address.js';
import type { PublicRateLimiter } from './public-rate-limiter.js';

/** Webhooks have limits of their own, because a provider may send many from one address. */
const WEBHOOK_PATH = /^\/hooks\//;

/**
 * Limits requests to public paths by network before anything else is done for them. Paths that need a key are limited
 * where the key is rejected.
 */
export function limitPublicRequests(fastify: FastifyInstance, limiter: PublicRateLimiter): void {
  fastify.addHook('onRequest', (request, _, done) => {
    if (isProtectedPath(request.url) || WEBHOOK_PATH.test(request.url)) return done();
    limiter.admit(toNetwork(readClientAddress(request))).then(() => done(), done);
  });
}
