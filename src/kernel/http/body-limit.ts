import { RouteConfig } from '@nestjs/platform-fastify';
import type { RouteOptions } from 'fastify';

/** Bytes that a body may have where a route says nothing else: 1 MiB. */
export const BODY_LIMIT = 1024 * 1024;

/** Lets a handler take bodies of up to `bytes`. */
export function BodyLimit(bytes: number): MethodDecorator & ClassDecorator {
  return RouteConfig({ bodyLimit: bytes });
}

/** Nest hands a route's config to Fastify, but no other option; this makes the limit one. */
export function applyBodyLimit(route: RouteOptions): void {
  const config = route.config as { bodyLimit?: number } | undefined;
  if (config?.bodyLimit !== undefined) route.bodyLimit = config.bodyLimit;
}
