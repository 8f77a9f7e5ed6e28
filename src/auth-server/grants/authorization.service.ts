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
import { type OAuthClient, isRegisteredRedirectUri } from '../clients/oauth-client.js';
import { type FormFields, readOptionalParam, requireParam } from '../oauth/form.js';
import { APPROVAL_PAGE, buildOAuthUrls, buildRedirectUrl } from '../oauth/oauth.urls.js';
import { parseRequestedScopes } from '../oauth/scopes.js';
import { ApprovalTicketsService, type ConsentRequest } from '../consent/approval-tickets.service.js';
import type { LockedGrant } from './grants.queries.js';
import type { TokenResponse } from './granted-keys.service.js';
import { TokenExchangeService } from './token-exchange.service.js';
import { parseGrantCode, hashSecret } from './grant-code.js';

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const MAX_URI_LENGTH = 2_048;
const MAX_STATE_LENGTH = 2_048;

/** The authorization code flow with PKCE (RFC 6749, section 4.1, and RFC 7636). */
@Injectable()
export class AuthorizationService {
  private readonly issuer: string;
  private readonly resources: ReadonlySet<string>;

  constructor(
    @Inject(ENV) { publicUrl }: Env,
    private readonly clients: ClientsService,
    private readonly tokens: TokenExchangeService,
    private readonly tickets: ApprovalTicketsService,
  ) {
    const { issuer, mcp } = buildOAuthUrls(publicUrl);
    this.issuer = issuer;
    this.resources = new Set([issuer, `${issuer}/`, mcp, `${mcp}/`]);
  }

  /**
   * Reads an authorization request, and returns where the browser goes next: to the approval page, with a ticket. Errors are
   * thrown, and presented as a page. Only a program on the person's own machine learns of them by a redirect: anybody can
   * register a client or publish its document, so a redirect without a decision of the person would send browsers from the
   * hub to any address.
   * @throws OAuthError, HubError `rate_limited`
   */
  async startApproval(fields: FormFields, address: string): Promise<{ readonly redirect: string }> {
    const client = await this.clients.find(requireParam(fields, 'client_id', MAX_URI_LENGTH), address);
    const uri = requireParam(fields, 'redirect_uri', MAX_URI_LENGTH);
    if (!isRegisteredRedirectUri(uri, client.redirectUris))
      throw new InvalidRequestError('The redirect_uri is not registered for this client.');
    const state = readOptionalParam(fields, 'state', MAX_STATE_LENGTH);
    try {
      const redirect = { uri, ...(state !== undefined && { state }) };
      const ticket = this.tickets.seal(this.toConsentRequest(client, fields, redirect, address));
      return { redirect: `${this.issuer}${APPROVAL_PAGE}?ticket=${encodeURIComponent(ticket)}` };
    } catch (error) {
      if (!(error instanceof OAuthError) || !isLoopbackUri(uri)) throw error;
      const response = { error: error.errorCode, error_description: error.message };
      return { redirect: buildRedirectUrl({ uri, ...(state !== undefined && { state }) }, response, this.issuer) };
    }
  }

  /** Exchanges an authorization code for an API key. @throws OAuthError */
  async exchange(fields: FormFields): Promise<TokenResponse> {
    const code = requireParam(fields, 'code');
    const clientId = requireParam(fields, 'client_id', MAX_URI_LENGTH);
    const redirectUri = requireParam(fields, 'redirect_uri', MAX_URI_LENGTH);
    const verifier = requireParam(fields, 'code_verifier');
    this.checkResource(fields);
    const ref = parseGrantCode(code);
    if (!ref) throw new InvalidGrantError('The code was not issued by this server.');
    const matchesGrant = (grant: LockedGrant) =>
      grant.clientId === clientId &&
      grant.redirectUri === redirectUri &&
      isValidVerifier(verifier, grant.codeChallenge);
    return this.tokens.exchange(ref, hashSecret(code), matchesGrant);
  }

  private toConsentRequest(
    client: OAuthClient,
    fields: FormFields,
    redirect: { uri: string; state?: string },
    address: string,
  ): ConsentRequest {
    if (requireParam(fields, 'response_type') !== 'code')
      throw new UnsupportedResponseTypeError('The only response_type is "code".');
    const mode = readOptionalParam(fields, 'response_mode');
    if (mode !== undefined && mode !== 'query') throw new InvalidRequestError('The only response_mode is "query".');
    const codeChallenge = requireParam(fields, 'code_challenge');
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
      scopes: parseRequestedScopes(readOptionalParam(fields, 'scope', MAX_STATE_LENGTH)),
      address,
      redirect: { ...redirect, codeChallenge },
    };
  }

  /** Checks the resource indicator (RFC 8707): keys are valid for this hub only. @throws InvalidTargetError */
  private checkResource(fields: FormFields): void {
    const resource = readOptionalParam(fields, 'resource', MAX_URI_LENGTH);
    if (resource !== undefined && !this.resources.has(resource))
      throw new InvalidTargetError(`This resource is not served here. Use ${this.issuer}/mcp.`);
  }
}

function isLoopbackUri(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function isValidVerifier(verifier: string, challenge: string | null): boolean {
  return VERIFIER.test(verifier) && createHash('sha256').update(verifier).digest('base64url') === challenge;
}
