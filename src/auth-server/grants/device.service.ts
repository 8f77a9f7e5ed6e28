import { Inject, Injectable } from '@nestjs/common';
import { AccessDeniedError, InvalidGrantError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { newId } from '#kernel/ids.js';
import { ClientsService } from '../clients/clients.service.js';
import { sanitizeName } from '../clients/oauth-client.js';
import { type FormFields, readOptionalParam, requireParam } from '../oauth/form.js';
import { APPROVAL_PAGE, buildOAuthUrls } from '../oauth/oauth.urls.js';
import { slowDownError, authorizationPendingError, expiredTokenError } from '../oauth/oauth.errors.js';
import { OAuthRateLimiter } from '../oauth/oauth.rate-limiter.js';
import { parseRequestedScopes } from '../oauth/scopes.js';
import { insertDeviceRequest, pollRequest } from './device-requests.queries.js';
import type { TokenResponse } from './granted-keys.service.js';
import { TokenExchangeService } from './token-exchange.service.js';
import { generateSecret, hashSecret, generateUserCode } from './grant-code.js';

const REQUEST_TTL_SECONDS = 600;
const POLL_INTERVAL_SECONDS = 5;
const MAX_CODE_ATTEMPTS = 3;
const MAX_DEVICE_NAME_LENGTH = 60;

/** The device authorization response (RFC 8628, section 3.2). */
export interface DeviceAuthorizationResponse {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  /** Lifetime of both codes, in seconds. */
  readonly expires_in: number;
  /** Minimum seconds between two polls of the token endpoint. */
  readonly interval: number;
}

/** The device authorization grant (RFC 8628), for programs that cannot open a browser. */
@Injectable()
export class DeviceService {
  private readonly verificationUri: string;

  constructor(
    @Inject(ENV) { publicUrl }: Env,
    private readonly work: UnitOfWork,
    private readonly clients: ClientsService,
    private readonly tokens: TokenExchangeService,
    private readonly limits: OAuthRateLimiter,
  ) {
    this.verificationUri = buildOAuthUrls(publicUrl).toUrl(APPROVAL_PAGE);
  }

  /**
   * Starts a sign-in. Besides `client_id` and `scope` it accepts `device_name`, such as the name of the machine, which
   * becomes part of the API key's name.
   * @param address IP address of the requester, which the consent page shows
   * @throws OAuthError, HubError `rate_limited`
   */
  async startLogin(fields: FormFields, address: string): Promise<DeviceAuthorizationResponse> {
    const clientId = requireParam(fields, 'client_id', 2_048);
    const scopes = parseRequestedScopes(readOptionalParam(fields, 'scope'));
    const device = sanitizeName(readOptionalParam(fields, 'device_name'), '', MAX_DEVICE_NAME_LENGTH);
    await this.limits.countRequest(address);
    const client = await this.clients.find(clientId, address);
    const clientName = device === '' ? client.name : `${client.name} (${device})`;
    const deviceCode = generateSecret();
    const userCode = await this.insertRequest({
      id: newId(),
      deviceHash: hashSecret(deviceCode),
      clientId,
      clientName,
      clientHost: client.host ?? null,
      scopes,
      address,
      secondsBetweenPolls: POLL_INTERVAL_SECONDS,
    });
    return {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: this.verificationUri,
      verification_uri_complete: `${this.verificationUri}?user_code=${userCode}`,
      expires_in: REQUEST_TTL_SECONDS,
      interval: POLL_INTERVAL_SECONDS,
    };
  }

  /**
   * Exchanges a device code for an API key.
   * @throws OAuthError while the request is pending, and when denied or expired
   */
  async exchange(fields: FormFields): Promise<TokenResponse> {
    const clientId = requireParam(fields, 'client_id', 2_048);
    const hash = hashSecret(requireParam(fields, 'device_code'));
    const polled = await this.work.system(tx => pollRequest(tx, hash));
    const request = polled?.request;
    if (!polled || request?.clientId !== clientId) throw new InvalidGrantError('This device code is unknown.');
    if (request.decision === 'denied') throw new AccessDeniedError('The person denied the request.');
    if (request.decision === 'approved') {
      const ref = { workspaceId: request.decidedWorkspaceId!, grantId: request.id };
      return this.tokens.exchange(ref, hash, () => true);
    }
    if (polled.isExpired) throw expiredTokenError();
    throw polled.isPollingTooFast ? slowDownError(request.secondsBetweenPolls) : authorizationPendingError();
  }

  /**
   * Inserts a request with a new user code. Collisions are very unlikely; reaching the limit of pending requests is
   * not.
   */
  private async insertRequest(request: Omit<Parameters<typeof insertDeviceRequest>[1], 'userCode'>): Promise<string> {
    for (let attempt = 1; attempt <= MAX_CODE_ATTEMPTS; attempt++) {
      const userCode = generateUserCode();
      if (await this.work.system(tx => insertDeviceRequest(tx, { ...request, userCode }, REQUEST_TTL_SECONDS)))
        return userCode;
    }
    throw HubError.unavailable('Too many sign-ins are pending. Try again later.', undefined, 60);
  }
}
