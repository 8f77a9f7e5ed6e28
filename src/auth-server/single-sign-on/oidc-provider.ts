import { Inject, Injectable, Logger } from '@nestjs/common';
import type * as oidc from 'openid-client';
import { z } from 'zod';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import type { OidcSettings } from '#kernel/config/oidc-settings.js';
import { EgressFailedError, EgressRefusedError } from '#kernel/egress/egress-errors.js';
import type { EgressClient, EgressRequest } from '#kernel/egress/egress.client.js';
import type { EgressAccess } from '#kernel/egress/egress-rules.js';
import { HubError } from '#kernel/errors/hub-error.js';

/** Path at which the provider sends people back; the operator registers it there, after `PUBLIC_URL`. */
export const CALLBACK_PATH = '/auth/single-sign-on/callback';
/** Injection token of the egress client that calls the provider. */
export const OIDC_EGRESS = Symbol('OpenID Connect egress');

const SCOPE = 'openid email profile';
const TIMEOUT_MS = 8_000;
const MAX_RESPONSE_BYTES = 200_000;
/** How long what the provider publishes about itself is used, in milliseconds. */
const METADATA_TTL_MS = 3_600_000;
/** How far the clocks of hub and provider may be apart, in seconds. */
const CLOCK_TOLERANCE_SECONDS = 60;

/** What ties the return of a browser to the sign-in that it began. */
export interface SignInChecks {
  readonly state: string;
  readonly nonce: string;
  /** PKCE code verifier (RFC 7636). */
  readonly verifier: string;
}

/** A person as the provider knows them. */
export interface ProviderIdentity {
  /** Identifier of the person, which the provider gives to nobody else. */
  readonly subject: string;
  /** In lower case; undefined if the provider does not tell it, or says that it is not verified. */
  readonly email: string | undefined;
  readonly name: string | undefined;
}

const CLAIMS = z.object({
  email: z.string().min(3).max(254).toLowerCase().optional().catch(undefined),
  email_verified: z.boolean().optional().catch(undefined),
  name: z.string().trim().min(1).max(200).optional().catch(undefined),
});

/** Returns what the egress client of the provider may call: its issuer, and public addresses for endpoints elsewhere. */
export function oidcAccess(settings: OidcSettings | undefined): EgressAccess {
  return { trustedUrls: settings ? [settings.issuer] : [] };
}

/** The provider at which people sign in by OpenID Connect, with the authorization code flow, PKCE and a nonce. */
@Injectable()
export class OidcProvider {
  private readonly log = new Logger('single-sign-on');
  private metadata: { readonly loaded: Promise<oidc.Configuration>; readonly expiresAtMs: number } | undefined;

  /** @param egress a client with the access of {@link oidcAccess} */
  constructor(
    @Inject(ENV) private readonly env: Pick<Env, 'oidc' | 'publicUrl'>,
    @Inject(OIDC_EGRESS) private readonly egress: EgressClient,
  ) {}

  /** Returns the settings. @throws HubError `not_found` if the operator has set none */
  requireSettings(): OidcSettings {
    if (this.env.oidc) return this.env.oidc;
    throw new HubError('not_found', { detail: 'This hub has no single sign-on. Its operator sets OIDC_ISSUER.' });
  }

  /** Returns the address at which a person signs in. @throws HubError `single_sign_on_unavailable` */
  async buildSignInUrl({ state, nonce, verifier }: SignInChecks): Promise<string> {
    const [{ buildAuthorizationUrl, calculatePKCECodeChallenge }, configuration] = await this.load();
    return buildAuthorizationUrl(configuration, {
      redirect_uri: this.env.publicUrl + CALLBACK_PATH,
      scope: SCOPE,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).href;
  }

  /**
   * Exchanges the code with which the provider sent a browser back, and verifies its ID token with its signature.
   * @param query query of the callback
   * @throws HubError `single_sign_on_failed` if the person did not sign in there or the response is not valid,
   *   `single_sign_on_unavailable`
   */
  async readIdentity(query: URLSearchParams, { state, nonce, verifier }: SignInChecks): Promise<ProviderIdentity> {
    const [client, configuration] = await this.load();
    const url = new URL(this.env.publicUrl + CALLBACK_PATH);
    url.search = query.toString();
    try {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const tokens = await client.authorizationCodeGrant(configuration, url, checks);
      const { sub, ...claims } = tokens.claims()!;
      // Some providers put the address into the ID token, others only into the response of the userinfo endpoint.
      const isComplete = claims['email'] !== undefined || !configuration.serverMetadata().userinfo_endpoint;
      const all = isComplete ? claims : await client.fetchUserInfo(configuration, tokens.access_token, sub);
      return { subject: sub, ...readClaims(all) };
    } catch (cause) {
      throw this.toHubError(cause, client);
    }
  }

  private async load(): Promise<readonly [typeof oidc, oidc.Configuration]> {
    const client = await import('openid-client');
    const now = Date.now();
    if (!this.metadata || this.metadata.expiresAtMs <= now)
      this.metadata = { loaded: this.discover(client), expiresAtMs: now + METADATA_TTL_MS };
    const { metadata } = this;
    try {
      return [client, await metadata.loaded];
    } catch (cause) {
      // The next sign-in asks again.
      if (this.metadata === metadata) this.metadata = undefined;
      this.log.warn(`what the provider publishes cannot be read: ${describeCause(cause)}`);
      throw new HubError('single_sign_on_unavailable', { cause });
    }
  }

  private discover(client: typeof oidc): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.requireSettings();
    return client.discovery(
      new URL(issuer),
      clientId,
      { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      chooseClientAuth(client, clientSecret),
      {
        [client.customFetch]: (url, { method, headers, body }) => this.fetch(url, method, headers, body),
        execute: [
          client.enableNonRepudiationChecks,
          // The setting allows http on this machine only.
          ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
        ],
      },
    );
  }

  /** Has the library send its requests by the egress client. */
  private async fetch(url: string, method: string, headers: Record<string, string>, body: unknown): Promise<Response> {
    const response = await this.egress.send({
      url,
      method: method as NonNullable<EgressRequest['method']>,
      headers,
      ...(body !== undefined && body !== null && { body: String(body) }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_RESPONSE_BYTES,
    });
    return new Response(response.body.length === 0 ? null : new Uint8Array(response.body), {
      status: response.status,
      headers: { 'content-type': response.headers['content-type'] ?? '' },
    });
  }

  private toHubError(cause: unknown, client: typeof oidc): HubError {
    const isRefusedClient = cause instanceof client.ResponseBodyError && cause.error !== 'invalid_grant';
    const isUnreachable = findEgressError(cause) !== undefined;
    this.log.warn(`a sign-in failed: ${describeCause(cause)}`);
    return new HubError(isRefusedClient || isUnreachable ? 'single_sign_on_unavailable' : 'single_sign_on_failed', {
      cause,
    });
  }
}

/** Sends the secret as the provider takes it: in the body, or in the Authorization header, which is the default. */
function chooseClientAuth(client: typeof oidc, secret: string): oidc.ClientAuth {
  return (server, ...rest) => {
    const takesBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false;
    const authenticate = takesBody ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret);
    return authenticate(server, ...rest);
  };
}

function findEgressError(cause: unknown): Error | undefined {
  const reason = cause instanceof Error ? cause.cause : undefined;
  return reason instanceof EgressFailedError || reason instanceof EgressRefusedError ? reason : undefined;
}

/** Describes an error by its code: what a provider writes beside it may name a person. */
function describeCause(cause: unknown): string {
  const { error, code } = Object(cause) as { error?: unknown; code?: unknown };
  const text = [findEgressError(cause)?.message, error, code].find(each => typeof each === 'string');
  return String(text ?? (cause instanceof Error ? cause.name : cause)).slice(0, 200);
}

function readClaims(claims: unknown): Pick<ProviderIdentity, 'email' | 'name'> {
  const { email, email_verified, name } = CLAIMS.parse(claims);
  return { email: email_verified === false ? undefined : email, name };
}
