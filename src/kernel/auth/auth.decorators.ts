import { SetMetadata, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Scope, Caller } from './caller.js';

/** Metadata key of {@link Public}. */
export const PUBLIC = 'rapport:public';

/** Makes a handler, or every handler of a class, available without an API key. */
export const Public = () => SetMetadata(PUBLIC, true);

/** Metadata key of {@link Scopes}. */
export const SCOPES = 'rapport:scopes';

/**
 * Sets the scopes that a handler, or every handler of a class, requires; a key must have all of them. Without this
 * decorator GET and HEAD require `read`, all other methods `write`. `@Scopes()` accepts any valid key.
 */
export function Scopes(...needed: Scope[]): MethodDecorator & ClassDecorator {
  return SetMetadata(SCOPES, needed);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller; set by the guard on every route that is not public. */
    caller?: Caller;
  }
}

/** Injects the {@link Caller} of the request into a handler parameter. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!caller) throw new Error('a public route has no caller');
  return caller;
});
