import { Inject, Injectable } from '@nestjs/common';
import * as oauth from 'oauth4webapi';
import type { Instant } from '#domain/time/instant.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import type { RegisteredClient } from '#kernel/config/oauth-clients.js';
import { EgressFailedError, EgressRefusedError } from '#kernel/egress/egress-errors.js';
import type { EgressClient } from '#kernel/egress/egress.client.js';
import { createRedactor } from '#kernel/egress/redactor.js';
import type { OAuth2Manifest } from '#sdk/manifest/oauth2-manifest.js';
import { type ProviderSignIn, resolveOAuth2Url, selectSignIn } from '#sdk/manifest/oauth2-rules.js';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { validateFields } from '../connections/connection-schema.js';
import { PluginEgressClients } from '../context/plugin-http.js';

/** Tokens as a provider issued them. */
export interface IssuedTokens {
  readonly accessToken: string;
  /** Null if the provider issued none: with a refresh, the one before stays valid. */
  readonly refreshToken: string | null;
  /** Null if the provider does not say. */
  readonly expiresAt: Instant | null;
  /** Further texts of the response that the manifest names. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The provider gave no tokens. The message holds no secrets. */
export class TokenRequestError extends Error {
  constructor(
    message: string,
    /**
     * `refused`: the code or refresh token is not valid any more, so somebody has to sign in again. `misconfigured`: the
     * provider does not accept the operator's client. `unreachable`: it may work later.
     */
    readonly reason: 'refused' | 'misconfigured' | 'unreachable',
  ) {
    super(message);
  }
}

/** A plugin with sign-in, and the settings of the connection. */
export interface TokenSource {
  readonly manifest: PluginManifest;
  readonly settings: Readonly<Record<string, unknown>>;
}

const TIMEOUT_MS = 8_000;
const MAX_RESPONSE_BYTES = 100_000;
const MAX_QUOTED_LENGTH = 200;
/** Errors of RFC 6749, section 5.2, that a new sign-in solves. */
const SIGN_IN_AGAIN = new Set(['invalid_grant', 'access_denied']);
const CLIENT_ERRORS = new Set(['invalid_client', 'unauthorized_client', 'invalid_scope', 'unsupported_grant_type']);

/** Talks to the authorization servers of providers: builds sign-in addresses, and exchanges, refreshes and revokes tokens. */
@Injectable()
export class TokenEndpointClient {
  constructor(
    private readonly egress: PluginEgressClients,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** The address to which providers send users back, which the operator registers with each provider. */
  get redirectUri(): string {
    return `${this.env.publicUrl}/connect/callback`;
  }

  /** Returns whether the operator has set a client for a sign-in. */
  isConfigured({ client }: Pick<ProviderSignIn, 'client'>): boolean {
    return this.env.oauthClients.has(client);
  }

  /** Returns the address on which a user signs in. @param verifier PKCE code verifier */
  async buildSignInUrl(source: TokenSource, state: string, verifier: string): Promise<string> {
    const { manifest, settings } = source;
    const signIn = requireSignIn(source);
    const { authorizeUrl, scopes, scopeSeparator = ' ', pkce = true, authorizeParams } = signIn.oauth2;
    const url = new URL(resolveOAuth2Url(authorizeUrl, withDefaults(manifest, settings)));
    const parameters = {
      ...authorizeParams,
      response_type: 'code',
      client_id: this.clientOf(signIn).clientId,
      redirect_uri: this.redirectUri,
      ...(scopes.length > 0 && { scope: scopes.join(scopeSeparator) }),
      state,
      ...(pkce && {
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  /**
   * Exchanges the code with which a provider sent a user back.
   * @param parameters query of the redirect
   * @throws TokenRequestError
   */
  exchange(
    source: TokenSource,
    parameters: URLSearchParams,
    { state, verifier }: { readonly state: string; readonly verifier: string },
  ): Promise<IssuedTokens> {
    return this.request(source, [verifier, parameters.get('code') ?? ''], (server, client, auth, options) => {
      const { pkce = true } = requireSignIn(source).oauth2;
      // The manifest knows no issuer to compare it with, and each state belongs to one provider.
      parameters.delete('iss');
      const validated = oauth.validateAuthResponse(server, client, parameters, state);
      return oauth.authorizationCodeGrantRequest(
        server,
        client,
        auth,
        validated,
        this.redirectUri,
        pkce ? verifier : oauth.nopkce,
        options,
      );
    });
  }

  /** Exchanges a refresh token for an access token. @throws TokenRequestError */
  refresh(source: TokenSource, refreshToken: string): Promise<IssuedTokens> {
    return this.request(source, [refreshToken], (server, client, auth, options) =>
      oauth.refreshTokenGrantRequest(server, client, auth, refreshToken, options),
    );
  }

  /** Revokes a token, if the provider can. @throws TokenRequestError */
  async revoke(source: TokenSource, token: string): Promise<void> {
    const { revokeUrl } = requireSignIn(source).oauth2;
    if (revokeUrl === undefined) return;
    const { server, client, auth, options } = this.prepare(source);
    try {
      await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, auth, token, options));
    } catch (error) {
      throw this.toTokenRequestError(error, source, [token]);
    }
  }

  private async request(
    source: TokenSource,
    secrets: readonly string[],
    send: (
      server: oauth.AuthorizationServer,
      client: oauth.Client,
      auth: oauth.ClientAuth,
      options: oauth.TokenEndpointRequestOptions,
    ) => Promise<Response>,
  ): Promise<IssuedTokens> {
    const { server, client, auth, options } = this.prepare(source);
    try {
      const response = await send(server, client, auth, options);
      const tokens = await oauth.processGenericTokenEndpointResponse(server, client, response);
      return toIssuedTokens(tokens, requireSignIn(source).oauth2);
    } catch (error) {
      throw this.toTokenRequestError(error, source, secrets);
    }
  }

  private prepare(source: TokenSource) {
    const { manifest, settings } = source;
    const signIn = requireSignIn(source);
    const { tokenUrl, revokeUrl, clientAuth = 'body' } = signIn.oauth2;
    const { clientId, clientSecret } = this.clientOf(signIn);
    const values = withDefaults(manifest, settings);
    const tokenEndpoint = resolveOAuth2Url(tokenUrl, values);
    const server: oauth.AuthorizationServer = {
      issuer: new URL(tokenEndpoint).origin,
      token_endpoint: tokenEndpoint,
      ...(revokeUrl !== undefined && { revocation_endpoint: resolveOAuth2Url(revokeUrl, values) }),
    };
    return {
      server,
      client: { client_id: clientId },
      auth: clientAuth === 'basic' ? oauth.ClientSecretBasic(clientSecret) : oauth.ClientSecretPost(clientSecret),
      options: {
        [oauth.allowInsecureRequests]: true, // the schema of the manifest allows http only on this machine
        [oauth.customFetch]: createFetch(this.egress.clientFor(manifest.id)),
      },
    };
  }

  private clientOf({ client: registered, name }: ProviderSignIn): RegisteredClient {
    const client = this.env.oauthClients.get(registered);
    if (client) return client;
    throw new TokenRequestError(
      `The operator of this hub has not set the client "${registered}" for ${name} in OAUTH_CLIENTS.`,
      'misconfigured',
    );
  }

  private toTokenRequestError(error: unknown, source: TokenSource, secrets: readonly string[]): unknown {
    if (error instanceof TokenRequestError) return error;
    const signIn = requireSignIn(source);
    const redact = createRedactor([...secrets, this.clientOf(signIn).clientSecret]);
    const { name } = signIn;
    if (error instanceof EgressFailedError || error instanceof EgressRefusedError)
      return new TokenRequestError(redact(`${name} could not be reached: ${error.message}`), 'unreachable');
    if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError) {
      const reported = (error.error_description ?? error.error).slice(0, MAX_QUOTED_LENGTH);
      if (CLIENT_ERRORS.has(error.error)) {
        const fix = 'The operator has to check the client in OAUTH_CLIENTS and its registration.';
        return new TokenRequestError(redact(`${name} does not accept this hub: ${reported}. ${fix}`), 'misconfigured');
      }
      const reason = SIGN_IN_AGAIN.has(error.error) ? 'refused' : 'unreachable';
      return new TokenRequestError(redact(`${name} says: ${reported}`), reason);
    }
    const message = error instanceof Error ? error.message.slice(0, MAX_QUOTED_LENGTH) : 'unknown error';
    return new TokenRequestError(redact(`${name} gave no usable tokens: ${message}`), 'unreachable');
  }
}

/** Fills in the defaults of settings, which are stored as the user sent them. */
function withDefaults(
  { settings: schema }: PluginManifest,
  settings: TokenSource['settings'],
): TokenSource['settings'] {
  const validated = validateFields('settings', schema, settings);
  return validated.ok ? validated.values : settings;
}

/** @throws TokenRequestError if the plugin has no sign-in for these settings any more */
function requireSignIn({ manifest, settings }: TokenSource): ProviderSignIn {
  const signIn = selectSignIn(manifest, settings);
  if (signIn) return signIn;
  throw new TokenRequestError(`${manifest.displayName} has no sign-in for these settings any more.`, 'refused');
}

/**
 * Has the library send its requests by the egress client. Providers are laxer than the standard: `token_type` or `error` may
 * be missing, and an ID token is of no use here.
 */
function createFetch(egress: EgressClient) {
  return async (url: string, { method, headers, body }: oauth.CustomFetchOptions<string, unknown>) => {
    const response = await egress.send({
      method: method as 'GET' | 'POST',
      url,
      headers,
      body: String(body),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_RESPONSE_BYTES,
    });
    const init = { status: response.status, headers: { 'content-type': response.headers['content-type'] ?? '' } };
    const text = response.body.toString('utf8');
    return new Response(text === '' ? null : toStandardBody(text, response.status), init);
  };
}

/** Completes the body of a token response. A 400 without `error` is a code or refresh token that is not valid. */
function toStandardBody(text: string, status: number): string {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return text;
  }
  if (typeof json !== 'object' || json === null) return text;
  const { id_token: _, ...rest } = json as Record<string, unknown>;
  if (status === 400 && typeof rest['error'] !== 'string') {
    const { message } = rest;
    return JSON.stringify({
      error: 'invalid_grant',
      ...(typeof message === 'string' && { error_description: message }),
    });
  }
  if (!('access_token' in rest)) return text;
  return JSON.stringify({ ...rest, token_type: 'bearer' });
}

function toIssuedTokens(response: oauth.TokenEndpointResponse, { tokenFields = [] }: OAuth2Manifest): IssuedTokens {
  const { access_token, refresh_token, expires_in } = response;
  const fields = tokenFields.flatMap(name => (typeof response[name] === 'string' ? [[name, response[name]]] : []));
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? null,
    expiresAt: expires_in === undefined ? null : (Date.now() + Math.round(expires_in) * 1_000) * 1_000,
    fields: Object.fromEntries(fields) as Record<string, string>,
  };
}
