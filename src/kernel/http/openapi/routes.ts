import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { listOperations } from './postprocess.js';

/** A route as Fastify knows it. */
export interface Route {
  readonly method: string;
  readonly path: string;
  /** Set for pages and files of the console, which its schema hides. */
  readonly isHidden?: boolean;
}

/**
 * Routes that are no part of the REST interface: for machines of the operator, for people, MCP, for providers, and for
 * programs that sign in, which their own standards describe.
 * What is below `/v2/plugins/` is described by the plugins, route by route.
 */
const UNDOCUMENTED_PATHS = new Set([
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/docs/scalar.js',
  '/docs/pages/:file',
  '/llms.txt',
  '/mcp',
  '/v2/plugins/*',
  '/hooks/:connection/:name',
  '/connect/:link',
  '/connect/callback',
  '/auth/single-sign-on/callback',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/openid-configuration',
  '/oauth/authorize',
  '/oauth/device_authorization',
  '/oauth/register',
  '/oauth/revoke',
  '/oauth/token',
]);

const routesByServer = new WeakMap<object, Route[]>();

/** Keeps a list of every route that is declared from here on. */
export function recordRoutes(fastify: FastifyInstance): void {
  const routes: Route[] = [];
  routesByServer.set(fastify.server, routes);
  fastify.addHook('onRoute', ({ method, url, schema }: RouteOptions) => {
    const isHidden = (schema as { readonly hide?: boolean } | undefined)?.hide === true;
    for (const each of [method].flat()) routes.push({ method: each, path: url, ...(isHidden && { isHidden }) });
  });
}

/** Every route of a server; HEAD, which Fastify adds to each GET, is left out. */
export function getRoutes(fastify: FastifyInstance): readonly Route[] {
  return (routesByServer.get(fastify.server) ?? []).filter(({ method }) => method !== 'HEAD');
}

/** The routes that neither the document nor the list of exceptions names. There should be none. */
export function findUndocumentedRoutes(document: OpenAPIObject, routes: readonly Route[]): Route[] {
  const described = new Set(listOperations(document).map(([method, , path]) => `${method.toUpperCase()} ${path}`));
  return routes.filter(
    ({ method, path, isHidden }) =>
      !isHidden && !UNDOCUMENTED_PATHS.has(path) && !described.has(`${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
  );
}
