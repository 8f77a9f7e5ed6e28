import type { FastifyInstance } from 'fastify';
import { assignWorkspace } from '#kernel/request-context.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { Caller } from './caller.js';
import './current-caller.decorator.js';
import type { ApiKeyCache } from './api-key.cache.js';
import { extractKey } from './extract-key.js';

/** Paths without public routes. */
const PROTECTED_PATHS = /^\/(?:v2|mcp)(?:[/?]|$)/;

/**
 * Authenticates requests before their body is read and responds with 401 if the key is missing or invalid. A cached
 * key passes synchronously. Scopes are checked by the guard, which knows the handler.
 */
export function rejectUnauthenticatedEarly(fastify: FastifyInstance, keys: ApiKeyCache): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS' || !PROTECTED_PATHS.test(request.url)) return done();
    const admit = (caller: Caller | undefined): void => {
      if (caller) {
        request.caller = caller;
        assignWorkspace(caller.workspaceId, caller.actor);
        return done();
      }
      reply.header('WWW-Authenticate', 'Bearer realm="rapport"');
      done(HubError.unauthorized());
    };
    const key = extractKey(request.raw.rawHeaders);
    const known = key === undefined ? undefined : keys.getCached(key);
    if (key === undefined || known) return admit(known);
    keys.resolve(key).then(admit, done);
  });
}
