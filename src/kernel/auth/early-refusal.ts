import type { FastifyInstance } from 'fastify';
import { HubError } from '#kernel/errors/errors.js';
import { isWellFormed } from './key-format.js';
import { presentedKey } from './presented-key.js';

/** Behind these paths nothing is public. */
const GUARDED = /^\/(?:v2|mcp)(?:[/?]|$)/;

/**
 * Turns away whoever brings no key, or one that cannot be a key, before a byte of the body is read. The guard looks at
 * the others once their request is complete.
 */
export function refuseStrangersEarly(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS' || !GUARDED.test(request.url)) return done();
    const key = presentedKey(request.raw.rawHeaders);
    if (key !== undefined && isWellFormed(key)) return done();
    reply.header('WWW-Authenticate', 'Bearer realm="rapport"');
    done(HubError.unauthorized());
  });
}
