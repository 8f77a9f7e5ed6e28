import type { FastifyInstance } from 'fastify';
import { HubError } from '#kernel/errors/hub-error.js';
import { type Route, getRoutes } from './openapi/routes.js';

/**
 * Answers 405, and says which methods there are, where a path is known and its method is not. It is to be installed
 * after whatever turns strangers away, so that they learn nothing from it.
 */
export function registerMethodNotAllowed(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _, done) => {
    if (!request.is404) return done();
    const methods = findMethods(getRoutes(fastify), request.url.split('?')[0]!);
    if (methods.length === 0) return done();
    done(HubError.methodNotAllowed(methods));
  });
}

/** The methods that a path can be called with, in alphabetical order; none where there is nothing at the path. */
export function findMethods(routes: readonly Route[], path: string): string[] {
  const segments = path.split('/');
  const fitting = routes.filter(route => isPathMatch(route.path.split('/'), segments));
  return [...new Set(fitting.map(({ method }) => method))].toSorted();
}

function isPathMatch(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, place) => (part.startsWith(':') ? segments[place] !== '' : part === segments[place]))
  );
}
