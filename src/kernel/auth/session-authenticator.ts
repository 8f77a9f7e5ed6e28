import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from './caller.js';

/** The session of a person, as a request shows it. */
export interface SessionRequest {
  /** The whole `Cookie` header. */
  readonly cookie: string;
  /** ID of the workspace that the request is for; undefined if it names none. */
  readonly workspace: string | undefined;
}

/** Authenticates people by the cookie of their session. The authorization server implements it. */
export abstract class SessionAuthenticator {
  /** Returns the caller of a session that was looked up moments ago; undefined means that `resolve` has to. */
  abstract getCached(request: SessionRequest): Caller | undefined;

  /**
   * Returns the caller of a session; undefined if it is unknown or has ended.
   * @throws HubError `workspace_required` if the person is no member of the workspace, or the request has to name one.
   */
  abstract resolve(request: SessionRequest): Promise<Caller | undefined>;
}

/** Name of the session cookie; with https it begins with `__Secure-`. */
export const SESSION_COOKIE = 'rapport.session_token';
/** Header that names the workspace of a request with a session. */
const WORKSPACE_HEADER = 'x-rapport-workspace';
/** Header by which the console shows that its own code sends a request: no form and no other site can set it. */
const CLIENT_HEADER = 'x-rapport-client';
const CONSOLE = 'console';
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
/** Only these paths take a session. Agents, webhooks and token requests never act by a cookie. */
const SESSION_PATH = /^\/v2(?:[/?]|$)/;

/** Returns the session that a request shows; undefined if it has none, sends a key, or is for a path without sessions. */
export function readSessionRequest(url: string, headers: IncomingHttpHeaders): SessionRequest | undefined {
  const { cookie, authorization } = headers;
  if (!cookie?.includes(SESSION_COOKIE) || !SESSION_PATH.test(url)) return undefined;
  if (authorization !== undefined || headers['x-api-key'] !== undefined) return undefined;
  const workspace = headers[WORKSPACE_HEADER];
  return { cookie, workspace: typeof workspace === 'string' ? workspace : undefined };
}

/**
 * Returns whether a request changes nothing, or was sent by the pages of this hub. Another site can send the cookies of a
 * person along, but browsers set `Origin` and `Sec-Fetch-Site` themselves, and no other site can set `X-Rapport-Client`.
 */
export function isFromOwnPages(method: string, headers: IncomingHttpHeaders, publicUrl: string): boolean {
  if (SAFE_METHODS.has(method)) return true;
  return (
    headers.origin === new URL(publicUrl).origin &&
    (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin' &&
    headers[CLIENT_HEADER] === CONSOLE
  );
}
