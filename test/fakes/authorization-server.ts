import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type FakeWeb, type Seen, startFakeWeb } from './fake-web.js';

/** The only client that the server knows. */
export const FAKE_CLIENT = { client_id: 'rapport-client', client_secret: 'secret-of-the-operator' };

interface Grant {
  readonly id: number;
  access: string;
  refresh: string;
  expiresAt: number;
  isRevoked: boolean;
}

interface PendingCode {
  readonly challenge: string;
  readonly redirectUri: string;
}

/**
 * A provider with an authorization server (RFC 6749 with PKCE, revocation by RFC 7009) and one resource, `/me`. It issues
 * a new refresh token with every refresh, and ends the whole grant when an old one is used again (RFC 9700, 4.14.2).
 */
export interface FakeAuthorizationServer extends FakeWeb {
  /** Lifetime of access tokens from now on, in seconds. */
  lifetime: number;
  /** Whether the user approves. */
  approves: boolean;
  /** When set, the token endpoint responds with this status. */
  down: number | undefined;
  /** When set, `/me` responds with this status. */
  meStatus: number | undefined;
  /** Whether errors of the token endpoint have a shape of their own, as those of some providers. */
  hasOwnErrors: boolean;
  /** Grants that are not revoked. */
  live(): number;
  /** Makes every access token invalid, as a provider may at any time. */
  dropAccessTokens(): void;
  /** Ends every grant, as when a user removes the app. */
  revokeAll(): void;
  /** Number of token requests with this grant type so far. */
  countTokenRequests(grantType: string): number;
}

/** Starts the server on loopback. */
export async function startAuthorizationServer(): Promise<FakeAuthorizationServer> {
  const codes = new Map<string, PendingCode>();
  const grants: Grant[] = [];
  const retired = new Map<string, Grant>();
  const control = {
    lifetime: 3600,
    approves: true,
    down: undefined as number | undefined,
    meStatus: undefined as number | undefined,
    hasOwnErrors: false,
  };
  const issue = (grant: Grant) => {
    grant.access = `access-${randomBytes(12).toString('hex')}`;
    grant.refresh = `refresh-${randomBytes(12).toString('hex')}`;
    grant.expiresAt = Date.now() + control.lifetime * 1_000;
    return {
      access_token: grant.access,
      refresh_token: grant.refresh,
      expires_in: control.lifetime,
      instance_url: 'https://eu1.ledger.example',
      id_token: 'an.unreadable.token',
    };
  };

  const authorize = (url: URL, response: ServerResponse) => {
    const q = url.searchParams;
    const isValid =
      q.get('client_id') === FAKE_CLIENT.client_id &&
      q.get('response_type') === 'code' &&
      q.get('code_challenge_method') === 'S256' &&
      q.get('scope') === 'contacts.read deals.read';
    if (!isValid) return response.writeHead(400).end('wrong request');
    const back = new URL(q.get('redirect_uri')!);
    back.searchParams.set('state', q.get('state')!);
    back.searchParams.set('iss', 'https://ledger.example');
    if (control.approves) {
      const code = `code-${randomBytes(12).toString('hex')}`;
      codes.set(code, { challenge: q.get('code_challenge')!, redirectUri: q.get('redirect_uri')! });
      back.searchParams.set('code', code);
    } else {
      back.searchParams.set('error', 'access_denied');
      back.searchParams.set('error_description', 'The user declined');
    }
    return response.writeHead(302, { location: back.href }).end();
  };

  const exchange = (form: URLSearchParams): [status: number, body: object] => {
    if (form.get('client_id') !== FAKE_CLIENT.client_id || form.get('client_secret') !== FAKE_CLIENT.client_secret)
      return [401, { error: 'invalid_client', error_description: 'unknown client' }];
    if (form.get('grant_type') === 'authorization_code') {
      const pending = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (pending?.challenge !== challenge || pending.redirectUri !== form.get('redirect_uri'))
        return [400, { error: 'invalid_grant', error_description: 'wrong code' }];
      const grant: Grant = { id: grants.length, access: '', refresh: '', expiresAt: 0, isRevoked: false };
      grants.push(grant);
      return [200, issue(grant)];
    }
    const token = form.get('refresh_token') ?? '';
    const replayed = retired.get(token);
    if (replayed) replayed.isRevoked = true;
    const grant = grants.find(each => each.refresh === token);
    if (!grant || grant.isRevoked)
      return [400, { error: 'invalid_grant', error_description: `unknown token ${token}` }];
    retired.set(token, grant);
    return [200, issue(grant)];
  };

  const shape = ([status, body]: [status: number, body: object]): [status: number, body: object] =>
    status === 400 && control.hasOwnErrors
      ? [400, { status: 'BAD_REFRESH_TOKEN', message: 'missing or unknown refresh token' }]
      : [status, body];

  const revoke = (form: URLSearchParams) => {
    const token = form.get('token');
    for (const grant of grants) if (grant.access === token || grant.refresh === token) grant.isRevoked = true;
  };

  const serveMe = ({ headers }: Seen, end: (status: number, body?: object) => unknown) => {
    if (control.meStatus !== undefined) return end(control.meStatus);
    const grant = grants.find(({ access }) => headers['authorization'] === `Bearer ${access}`);
    const isValid = grant && !grant.isRevoked && grant.expiresAt > Date.now();
    return isValid ? end(200, { account: grant.id }) : end(401, {});
  };

  const web = await startFakeWeb((seen, response) => {
    const url = new URL(seen.url, 'http://fake');
    const end = (status: number, body?: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body));
    if (url.pathname === '/authorize') return authorize(url, response);
    if (url.pathname === '/me' || url.pathname === '/hook') return serveMe(seen, end);
    const form = new URLSearchParams(seen.body);
    if (url.pathname === '/token') return control.down ? end(control.down) : end(...shape(exchange(form)));
    revoke(form);
    return end(200);
  });
  return Object.assign(control, web, {
    live: () => grants.filter(({ isRevoked }) => !isRevoked).length,
    dropAccessTokens: () => grants.forEach(grant => (grant.access = '')),
    revokeAll: () => grants.forEach(grant => (grant.isRevoked = true)),
    countTokenRequests: (grantType: string) =>
      web.seen.filter(
        ({ url, body }) => url.startsWith('/token?') && new URLSearchParams(body).get('grant_type') === grantType,
      ).length,
  });
}
