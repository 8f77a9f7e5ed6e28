import {
  CustomOAuthError,
  InvalidClientError,
  OAuthError,
  ServerError,
  TemporarilyUnavailableError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { classifyError } from '#kernel/errors/classify-error.js';

/** The person has not answered yet: ask again after `interval` seconds (RFC 8628, 3.5). */
export const authorizationPendingError = () =>
  new CustomOAuthError('authorization_pending', 'Nobody has answered yet; ask again.');

/** The client asks too often: it must wait five seconds longer between two questions. */
export const slowDownError = (seconds: number) =>
  new CustomOAuthError('slow_down', `Ask at most every ${seconds} seconds from now on.`);

/** Nobody answered in time. */
export const expiredTokenError = () =>
  new CustomOAuthError('expired_token', 'The device code has expired; begin again.');

/** The answer to an error at an endpoint for programs, in the form of RFC 6749, 5.2. */
export interface OAuthErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Dresses whatever was thrown; no word of a foreign message goes out. */
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

/** Whether a thrown thing is our fault and belongs into the log. */
export function isServerFault(thrown: unknown): boolean {
  return (
    !(thrown instanceof OAuthError) &&
    !(thrown instanceof HubError && thrown.status < 500) &&
    classifyError(thrown).status >= 500
  );
}
