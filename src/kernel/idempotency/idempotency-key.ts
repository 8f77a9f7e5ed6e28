import { createHash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { HubError } from '#kernel/errors/hub-error.js';

/** The Idempotency-Key of a request, with the fingerprint of the request it was sent with. */
export interface IdempotencyKey {
  readonly key: string;
  readonly requestHash: Buffer;
}

const KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;

/**
 * A key with the fingerprint of what it was sent with; undefined when the caller sent none.
 * @throws HubError `invalid_request` for a key that is empty, too long or not plain text.
 */
export function toIdempotencyKey(key: unknown, ...request: readonly unknown[]): IdempotencyKey | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !KEY_PATTERN.test(key)) {
    const message = 'Idempotency-Key must be 1 to 255 printable ASCII characters without spaces.';
    throw HubError.invalidRequest([{ field: 'Idempotency-Key', message }]);
  }
  return { key, requestHash: createHash('sha256').update(JSON.stringify(request)).digest() };
}

/** Parameter decorator: the Idempotency-Key of the request, if it has one. */
export const WithIdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { headers, method, url, body } = context.switchToHttp().getRequest<FastifyRequest>();
  return toIdempotencyKey(headers['idempotency-key'], method, url, body);
});
