import './auth.decorators.js';
import type { FastifyInstance } from 'fastify';
import { assignWorkspace } from '#kernel/request-context.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { readClientAddress, toNetwork } from '#kernel/limits/client-address.js';
import type { PublicRateLimiter } from '#kernel/limits/public-rate-limiter.js';
import type { Caller } from './caller.js';
import type { ApiKeyCache } from './api-key.lookup.js';

const BEARER = /^Bearer +(\S+)$/i;

/**
 * Returns the API key of a request from `Authorization: Bearer` or `X-API-Key`. Undefined if there is none, if one of
 * these headers is repeated, or if both are present with different keys.
 * @param rawHeaders names and values in turn, as received; Node's own map silently drops a repeated Authorization.
 */
export function extractKey(rawHeaders: readonly string[]): string | undefined {
  const authorization = getHeaderValues('authorization', rawHeaders);
  const apiKey = getHeaderValues('x-api-key', rawHeaders);
  if (authorization.length > 1 || apiKey.length > 1) return undefined;
  const bearer = BEARER.exec(authorization[0] ?? '')?.[1];
  const plain = apiKey[0] || undefined;
  return bearer && plain && bearer !== plain ? undefined : (bearer ?? plain);
}

function getHeaderValues(name: string, rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === name);
}

/** Paths without public routes. */
const PROTECTED_PATHS = /^\/(?:v2|mcp)(?:[/?]|$)/;

/** Returns whether every route of this path needs an API key. */
export function isProtectedPath(url: string): boolean {
  return PROTECTED_PATHS.test(url);
}

/**
 * Authenticates requests before their body is read and responds with 401 if the key is missing or invalid. A cached
 * key passes synchronously. A valid key always passes; the 401 of a network that sends many is delayed. Scopes are
 * checked by the guard, which knows the handler.
 */
export function rejectUnauthenticatedEarly(
  fastify: FastifyInstance,
  keys: ApiKeyCache,
  limiter: PublicRateLimiter,
): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS' || !isProtectedPath(request.url)) return done();
    const admit = (caller: Caller | undefined): void => {
      if (!caller) {
        const reject = (error?: Error): void => {
          reply.header('WWW-Authenticate', 'Bearer realm="rapport"');
          done(error ?? HubError.unauthorized());
        };
        return void limiter.delayUnauthorized(toNetwork(readClientAddress(request))).then(() => reject(), reject);
      }
      request.caller = caller;
      assignWorkspace(caller.workspaceId, caller.actor);
      return done();
    };
    const key = extractKey(request.raw.rawHeaders);
    const known = key === undefined ? undefined : keys.getCached(key);
    if (key === undefined || known) return admit(known);
    keys.resolve(key).then(admit, done);
  });
}
