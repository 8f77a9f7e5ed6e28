import type { FastifyInstance, FastifyReply } from 'fastify';
import { isPlainObject } from '#domain/observation/value-issue.js';
import { HandlerResponse } from './handler-response.js';
import { JsonText } from './json-text.js';
import { isLargeResponse, serializeYielding } from '../idempotency/large-response.js';

/**
 * Converts a {@link HandlerResponse} to status, body and the header of a replay, and serializes long lists in slices.
 * It is a Fastify hook, because a Nest interceptor would send every request through rxjs, which costs as much as the
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

/** Adds the request ID to an error body that a plugin returned, as for every error. */
export function withRequestId(body: unknown, { request }: FastifyReply): unknown {
  const isError = isPlainObject(body) && typeof body['error'] === 'string';
  return isError ? { ...body, request_id: request.id } : body;
}

/** Passes bytes unchanged; the types of Fastify only allow serializers that return strings. */
function passThrough(bytes: Buffer): string {
  return bytes as unknown as string;
}
