import {
  CustomOAuthError,
  InvalidClientError,
  OAuthError,
  ServerError,
  TemporarilyUnavailableError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { classifyError } from '#kernel/errors/error-response.js';

/** Creates the error for a pending request: the client polls again after `interval` seconds (RFC 8628, section 3.5). */
export const authorizationPendingError = () =>
  new CustomOAuthError('authorization_pending', 'The person has not decided yet. Poll again.');

/** Creates the error for polling too fast. @param seconds the new minimum interval */
export const slowDownError = (seconds: number) =>
  new CustomOAuthError('slow_down', `Poll at most every ${seconds} seconds from now on.`);

/** Creates the error for a device code that expired before a decision. */
export const expiredTokenError = () =>
  new CustomOAuthError('expired_token', 'The device code has expired. Start again.');

/** The response to an error at an endpoint for programs (RFC 6749, section 5.2). */
export interface OAuthErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Maps any thrown value to an OAuth error response. Messages of unknown errors are not passed on. */
export function toOAuthErrorResponse(thrown: unknown): OAuthErrorResponse {
  if (thrown instanceof OAuthError) {
    return { status: thrown instanceof InvalidClientError ? 401 : 400, headers: {}, body: thrown.toResponseObject() };
  }
  const { status, detail = '', code, retryAfterSeconds } = classifyError(thrown);
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterSeconds)) };
  return { status, headers, body: toOAuthError(status, code, detail).toResponseObject() };
}

function toOAuthError(status: number, code: string, detail: string): OAuthError {
  if (status === 503) return new TemporarilyUnavailableError(detail);
  if (status >= 500) return new ServerError(detail);
  return new CustomOAuthError(
    status === 429 ? 'too_many_requests' : code === 'not_found' ? code : 'invalid_request',
    detail,
  );
}

/** Returns whether a thrown value is a server error, which is logged. */
export function isServerFault(thrown: unknown): boolean {
  return (
    !(thrown instanceof OAuthError) &&
    !(thrown instanceof HubError && thrown.status < 500) &&
    classifyError(thrown).status >= 500
  );
}
