import type { FastifyInstance } from 'fastify';
import { HubError } from '#kernel/errors/hub-error.js';
import { type Route, getRoutes } from './openapi/routes.js';

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
