import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from './caller.js';

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
