import type { FastifyInstance } from 'fastify';
import { assignWorkspace } from '#kernel/context/request-context.js';
import { HubError } from '#kernel/errors/errors.js';
import type { Caller } from './caller.js';
import './current-caller.decorator.js';
import type { KeyRing } from './key-ring.service.js';
import { presentedKey } from './presented-key.js';

/** Behind these paths nothing is public. */
const GUARDED = /^\/(?:v2|mcp)(?:[/?]|$)/;

/**
 * Looks up the key of a request before a byte of its body is read, and turns away whoever brings none that is good. A
 * key that was looked up a moment ago passes without a promise. Scopes are for the guard, which knows the handler.
 */
export function refuseStrangersEarly(fastify: FastifyInstance, keys: KeyRing): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS' || !GUARDED.test(request.url)) return done();
    const admit = (caller: Caller | undefined): void => {
      if (caller) {
        request.caller = caller;
        assignWorkspace(caller.workspaceId);
        return done();
      }
      reply.header('WWW-Authenticate', 'Bearer realm="rapport"');
      done(HubError.unauthorized());
    };
    const key = presentedKey(request.raw.rawHeaders);
    const known = key === undefined ? undefined : keys.known(key);
    if (key === undefined || known) return admit(known);
    keys.resolve(key).then(admit, done);
  });
}
