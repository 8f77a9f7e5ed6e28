import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { HubError } from '#kernel/errors/hub-error.js';

const { QUERY, REQUEST } = RouteParamtypes;

/**
 * Rejects query parameters for API handlers that read none: a client that sends `?dry_run=true` to a call that takes
 * it in the body must not write by mistake. Handlers that read query parameters validate them themselves.
 */
@Injectable()
export class UnknownQueryParamsGuard implements CanActivate {
  /** @throws HubError `unknown_query_param` if the handler reads no query. */
  canActivate(context: ExecutionContext): boolean {
    const { url, query } = context.getArgByIndex<FastifyRequest>(0);
    if (!url.includes('?') || !url.startsWith('/v2/') || readsQuery(context)) return true;
    const [name] = Object.keys(query as object);
    if (name === undefined) return true;
    const detail = `There is no query parameter "${name.slice(0, 80)}" here; this call takes none.`;
    throw new HubError('unknown_query_param', { detail, extra: { supported: [] } });
  }
}

/** Returns whether a handler injects the query or the whole request. */
function readsQuery(context: ExecutionContext): boolean {
  const type: Type = context.getClass();
  const routeArgs = Reflect.getMetadata(ROUTE_ARGS_METADATA, type, context.getHandler().name) as object | undefined;
  // Keys are `<type>:<index>`, such as `4:0`. Custom decorators have a random string as type, which may begin with a
  // digit.
  return Object.keys(routeArgs ?? {}).some(key => [QUERY, REQUEST].includes(Number(key.split(':')[0])));
}
