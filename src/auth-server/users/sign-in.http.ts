import type { FastifyReply, FastifyRequest } from 'fastify';
import { readClientAddress } from '#kernel/limits/client-address.js';
import type { SignInClient } from './sign-in.service.js';

/** Returns who sends a request to the sign-in routes. */
export function readSignInClient(request: FastifyRequest): SignInClient {
  return { address: readClientAddress(request), userAgent: request.headers['user-agent'] ?? '' };
}

/** Adds the `Set-Cookie` headers of a sign-in or sign-out to a response. */
export function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  if (cookies.length > 0) reply.header('set-cookie', [...cookies]);
}
