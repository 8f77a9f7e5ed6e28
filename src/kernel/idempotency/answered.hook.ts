import type { FastifyInstance, FastifyReply } from 'fastify';
import { isPlainObject } from '#domain/observation/json-check.js';
import { Answered } from './answered.js';
import { JsonText } from './json-text.js';
import { isLargeResponse, serializeYielding } from './large-response.js';

/**
 * Turns an {@link Answered} into status, body and the header that marks a replay, and writes long lists in slices. A
 * hook of Fastify, because an interceptor of Nest would send every request through rxjs, which costs as much as the
 * rest of Nest.
 */
export function unfoldAnswers(fastify: FastifyInstance): void {
  fastify.addHook('preSerialization', (_, reply, payload, done) => {
    const body = payload instanceof Answered ? unfold(payload, reply) : payload;
    if (body instanceof JsonText) return done(null, asBytes(body, reply));
    if (!isLargeResponse(body)) return done(null, body);
    serializeYielding(body).then(text => done(null, asBytes(text, reply)), done);
  });
}

function unfold(answer: Answered<unknown>, reply: FastifyReply): unknown {
  reply.status(answer.status);
  if (answer.replayed) reply.header('Idempotent-Replayed', 'true');
  if (answer.body instanceof JsonText || answer.status < 400) return answer.body;
  return withRequestId(answer.body, reply);
}

function asBytes({ bytes }: JsonText, reply: FastifyReply): Buffer {
  reply.serializer(asItIs);
  return bytes;
}

/** An error that a plugin words itself bears the id of its request, as every error does. */
export function withRequestId(body: unknown, { request }: FastifyReply): unknown {
  const isError = isPlainObject(body) && typeof body['error'] === 'string';
  return isError ? { ...body, request_id: request.id } : body;
}

/** Bytes pass as they are; the types of Fastify know serializers that make texts alone. */
function asItIs(bytes: Buffer): string {
  return bytes as unknown as string;
}
