import { createHash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { HubError } from '#kernel/errors/hub-error.js';

/** The Idempotency-Key of a request with a fingerprint of the request. */
export interface IdempotencyKey {
  readonly key: string;
  readonly requestHash: Buffer;
}

const KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;

/**
 * Creates a key with the fingerprint of its request; undefined if the client sent none.
 * @throws HubError `invalid_request` for a key that is empty, too long or not printable ASCII.
 */
export function toIdempotencyKey(key: unknown, ...request: readonly unknown[]): IdempotencyKey | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !KEY_PATTERN.test(key)) {
    const message = 'Idempotency-Key must be 1 to 255 printable ASCII characters without spaces.';
    throw HubError.invalidRequest([{ field: 'Idempotency-Key', message }]);
  }
  return { key, requestHash: createHash('sha256').update(JSON.stringify(request)).digest() };
}

/** Injects the Idempotency-Key of the request, if it has one, into a handler parameter. */
export const WithIdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { headers, method, url, body } = context.switchToHttp().getRequest<FastifyRequest>();
  return toIdempotencyKey(headers['idempotency-key'], method, url, body);
});
