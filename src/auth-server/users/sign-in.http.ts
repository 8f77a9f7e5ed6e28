import type { FastifyReply, FastifyRequest } from 'fastify';
import { readClientAddress } from '#kernel/limits/client-address.js';
import { CLIENT_ADDRESS_HEADER } from './better-auth.js';

/** Who sends a request to the sign-in routes, as the server sees it. */
export interface SignInClient {
  readonly address: string;
  readonly userAgent: string;
}

/** Returns who sends a request to the sign-in routes. */
export function readSignInClient(request: FastifyRequest): SignInClient {
  return { address: readClientAddress(request), userAgent: request.headers['user-agent'] ?? '' };
}

/** Returns the headers by which better-auth learns who sends a request. */
export function toAuthHeaders({ address, userAgent }: SignInClient, cookie = ''): Headers {
  return new Headers({ [CLIENT_ADDRESS_HEADER]: address, 'user-agent': userAgent, cookie });
}

/** Returns the `Cookie` header with which a browser answers `Set-Cookie` headers. */
export function toCookieHeader(setCookies: readonly string[]): string {
  return setCookies.map(each => each.split(';', 1)[0]!).join('; ');
}

/** Adds the `Set-Cookie` headers of a sign-in or sign-out to a response. */
export function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  if (cookies.length > 0) reply.header('set-cookie', [...cookies]);
}
