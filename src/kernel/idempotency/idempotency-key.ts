import { createHash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { HubError } from '#kernel/errors/errors.js';

/** The Idempotency-Key of a request, with the fingerprint of the request it was sent with. */
export interface IdempotencyKey {
  readonly key: string;
  readonly requestHash: Buffer;
}

const READABLE = /^[\x21-\x7e]{1,255}$/;

/** Reads the header; undefined when the caller sent none. @throws HubError `invalid_request` for an unusable key. */
export function idempotencyKeyOf(request: FastifyRequest): IdempotencyKey | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !READABLE.test(key)) {
    const message = 'Idempotency-Key must be 1 to 255 printable ASCII characters without spaces.';
    throw HubError.invalidRequest([{ field: 'Idempotency-Key', message }]);
  }
  const fingerprint = `${request.method} ${request.url}\n${JSON.stringify(request.body ?? null)}`;
  return { key, requestHash: createHash('sha256').update(fingerprint).digest() };
}

/** Parameter decorator: the Idempotency-Key of the request, if it has one. */
export const WithIdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext) =>
  idempotencyKeyOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
