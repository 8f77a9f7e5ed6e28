import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  InvalidGrantError,
  InvalidRequestError,
  InvalidTargetError,
  OAuthError,
  UnsupportedResponseTypeError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { newId } from '#kernel/ids.js';
import { ClientsService } from '../clients/clients.service.js';
import type { OAuthClient } from '../clients/oauth-client.js';
import { isRegistered } from '../clients/redirect-uris.js';
import { type Fields, optional, required } from '../form.js';
import { oauthAddresses } from '../oauth.addresses.js';
import { scopesIn } from '../offered-scopes.js';
import { redirectTo } from '../redirect.js';
import type { Ask } from '../ticket.service.js';
import type { FetchedGrant } from './grants.queries.js';
import { Redeemer, type TokenAnswer } from './redeemer.service.js';
import { placeIn, secretHash } from './secret-text.js';

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const LONGEST_URI = 2_048;
const LONGEST_STATE = 2_048;

/** What a browser that came from a client is to be shown, or where it is to be led back to. */
export type AuthorizationRead = { readonly ask: Ask } | { readonly redirect: string };

/** Codes by way of a browser, with proof of possession (RFC 6749, 4.1 and RFC 7636). */
@Injectable()
export class AuthorizationService {
  private readonly issuer: string;
  private readonly resources: ReadonlySet<string>;

  constructor(
    @Inject(ENV) { publicUrl }: Env,
    private readonly clients: ClientsService,
    private readonly redeemer: Redeemer,
  ) {
    const { issuer, mcp } = oauthAddresses(publicUrl);
    this.issuer = issuer;
    this.resources = new Set([issuer, `${issuer}/`, mcp, `${mcp}/`]);
  }

  /**
   * Reads an authorization request. Before it is sure whom the answer may go to, errors are thrown; from then on the
   * client is told of them by way of the browser.
   * @throws OAuthError, HubError `rate_limited`
   */
  async read(fields: Fields, address: string): Promise<AuthorizationRead> {
    const client = await this.clients.find(required(fields, 'client_id', LONGEST_URI), address);
    const uri = required(fields, 'redirect_uri', LONGEST_URI);
    if (!isRegistered(uri, client.redirectUris))
      throw new InvalidRequestError('The redirect_uri is none that this program has registered.');
    const state = optional(fields, 'state', LONGEST_STATE);
    try {
      const ask = this.askOf(client, fields, { uri, ...(state !== undefined && { state }) }, address);
      return { ask };
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const answer = { error: error.errorCode, error_description: error.message };
      return { redirect: redirectTo({ uri, ...(state !== undefined && { state }) }, answer, this.issuer) };
    }
  }

  /** Exchanges a code for a key. @throws OAuthError */
  async exchange(fields: Fields): Promise<TokenAnswer> {
    const code = required(fields, 'code');
    const clientId = required(fields, 'client_id', LONGEST_URI);
    const redirectUri = required(fields, 'redirect_uri', LONGEST_URI);
    const verifier = required(fields, 'code_verifier');
    this.checkResource(fields);
    const place = placeIn(code);
    if (!place) throw new InvalidGrantError('The code is not one of this server.');
    const fits = (grant: FetchedGrant) =>
      grant.clientId === clientId && grant.redirectUri === redirectUri && proves(verifier, grant.codeChallenge);
    return this.redeemer.redeem(place, secretHash(code), fits);
  }

  private askOf(client: OAuthClient, fields: Fields, redirect: { uri: string; state?: string }, address: string): Ask {
    if (required(fields, 'response_type') !== 'code')
      throw new UnsupportedResponseTypeError('The only response_type is "code".');
    const mode = optional(fields, 'response_mode');
    if (mode !== undefined && mode !== 'query') throw new InvalidRequestError('The only response_mode is "query".');
    const codeChallenge = required(fields, 'code_challenge');
    if (fields.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(codeChallenge))
      throw new InvalidRequestError('Send a code_challenge with code_challenge_method=S256 (RFC 7636).');
    this.checkResource(fields);
    const { id: clientId, name: clientName, host: clientHost, origin } = client;
    return {
      id: newId(),
      clientId,
      clientName,
      ...(clientHost !== undefined && { clientHost }),
      origin,
      scopes: scopesIn(optional(fields, 'scope', LONGEST_STATE)),
      address,
      redirect: { ...redirect, codeChallenge },
    };
  }

  /** A key opens the hub and nothing else, so nothing else may be named (RFC 8707). */
  private checkResource(fields: Fields): void {
    const resource = optional(fields, 'resource', LONGEST_URI);
    if (resource !== undefined && !this.resources.has(resource))
      throw new InvalidTargetError(`The resource is not served here; it is ${this.issuer}/mcp.`);
  }
}

function proves(verifier: string, challenge: string | null): boolean {
  return VERIFIER.test(verifier) && createHash('sha256').update(verifier).digest('base64url') === challenge;
}
