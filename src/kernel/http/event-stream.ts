import type { FastifyReply, FastifyRequest } from 'fastify';
import { isStillAdmitted } from '#kernel/auth/caller.guard.js';
import { liftTimeLimits } from './long-requests.js';

/**
 * Prepares a response of server-sent events, which may take any time.
 * @returns whether the stream may go on: not when the client is gone, the process shuts down, so that clients connect to
 *   another one, or the key or session of the client has ended
 */
export function openEventStream(request: FastifyRequest, reply: FastifyReply): () => Promise<boolean> {
  liftTimeLimits(request, reply);
  reply.header('content-type', 'text/event-stream; charset=utf-8').header('cache-control', 'no-store');
  return async () => reply.server.server.listening && !request.raw.destroyed && (await isStillAdmitted(request));
}
