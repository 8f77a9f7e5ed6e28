import type { FastifyInstance, FastifyReply } from 'fastify';
import { isPlainObject } from '#domain/observation/value-issue.js';
import { HandlerResponse } from './handler-response.js';
import { JsonText } from './json-text.js';
import { isLargeResponse, serializeYielding } from '../idempotency/large-response.js';

/**
 * Turns an {@link HandlerResponse} into status, body and the header that marks a replay, and writes long lists in slices. A
 * hook of Fastify, because an interceptor of Nest would send every request through rxjs, which costs as much as the
 * rest of Nest.
 */
export function unwrapResponses(fastify: FastifyInstance): void {
  fastify.addHook('preSerialization', (_, reply, payload, done) => {
    const body = payload instanceof HandlerResponse ? unwrapResponse(payload, reply) : payload;
    if (body instanceof JsonText) return done(null, asBytes(body, reply));
    if (!isLargeResponse(body)) return done(null, body);
    serializeYielding(body).then(text => done(null, asBytes(text, reply)), done);
  });
}

function unwrapResponse(response: HandlerResponse<unknown>, reply: FastifyReply): unknown {
  reply.status(response.status);
  if (response.isReplay) reply.header('Idempotent-Replayed', 'true');
  if (response.body instanceof JsonText || response.status < 400) return response.body;
  return withRequestId(response.body, reply);
}

function asBytes({ bytes }: JsonText, reply: FastifyReply): Buffer {
  reply.serializer(passThrough);
  return bytes;
}

/** An error that a plugin words itself bears the id of its request, as every error does. */
export function withRequestId(body: unknown, { request }: FastifyReply): unknown {
  const isError = isPlainObject(body) && typeof body['error'] === 'string';
  return isError ? { ...body, request_id: request.id } : body;
}

/** Bytes pass as they are; the types of Fastify know serializers that make texts alone. */
function passThrough(bytes: Buffer): string {
  return bytes as unknown as string;
}
