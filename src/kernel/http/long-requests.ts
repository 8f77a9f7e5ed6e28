import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { liftDeadline } from '#kernel/request-context.js';

const LONG_REQUEST = Symbol('rapport:long-request');

interface MarkedSocket extends Socket {
  [LONG_REQUEST]?: boolean;
}

/**
 * Lifts the time limits of a request whose body or response may take any time, such as an upload: that of the server,
 * that of the response, and that of the database. The caller limits the time between bytes instead. The connection is
 * not used for another request.
 */
export function liftTimeLimits(request: FastifyRequest, reply: FastifyReply): void {
  liftDeadline();
  reply.server.requestTimeouts.finish(reply);
  reply.header('connection', 'close');
  (request.raw.socket as MarkedSocket)[LONG_REQUEST] = true;
}

/** Returns whether Node's time limit for receiving a request does not apply to the current one of a connection. */
export function isLongRequest(socket: Socket): boolean {
  return (socket as MarkedSocket)[LONG_REQUEST] === true;
}
