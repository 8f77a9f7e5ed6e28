import { Inject, Injectable } from '@nestjs/common';
import { AccessDeniedError, InvalidGrantError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { newId } from '#kernel/ids.js';
import { ClientsService } from '../clients/clients.service.js';
import { showableName } from '../clients/oauth-client.js';
import { type Fields, optional, required } from '../form.js';
import { OAUTH_PATHS, oauthAddresses } from '../oauth.addresses.js';
import { slowDown, stillPending, tooLate } from '../oauth.errors.js';
import { OAuthLimits } from '../oauth.limits.js';
import { scopesIn } from '../offered-scopes.js';
import { addDeviceRequest, pollRequest } from './device-requests.queries.js';
import { Redeemer, type TokenAnswer } from './redeemer.service.js';
import { newSecret, secretHash } from './secret-text.js';
import { newUserCode } from './user-code.js';

const LIFE_SECONDS = 600;
const INTERVAL_SECONDS = 5;
const ATTEMPTS = 3;
const LONGEST_DEVICE_NAME = 60;

/** What a device is told that wants to sign in (RFC 8628, 3.2). */
export interface DeviceAnswer {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  /** Seconds. */
  readonly expires_in: number;
  /** Seconds between two questions at the token endpoint. */
  readonly interval: number;
}

/** The device grant of RFC 8628: for programs that cannot open a browser where they run. */
@Injectable()
export class DeviceService {
  private readonly verificationUri: string;

  constructor(
    @Inject(ENV) { publicUrl }: Env,
    private readonly work: UnitOfWork,
    private readonly clients: ClientsService,
    private readonly redeemer: Redeemer,
    private readonly limits: OAuthLimits,
  ) {
    this.verificationUri = oauthAddresses(publicUrl).at(OAUTH_PATHS.device);
  }

  /**
   * Begins a sign-in. Beside `client_id` and `scope` it takes `device_name`, such as the name of the machine, which
   * becomes part of the key's name.
   * @param address who asks; shown to whoever is to approve
   * @throws OAuthError, HubError `rate_limited`
   */
  async begin(fields: Fields, address: string): Promise<DeviceAnswer> {
    const clientId = required(fields, 'client_id', 2_048);
    const scopes = scopesIn(optional(fields, 'scope'));
    const device = showableName(optional(fields, 'device_name'), '', LONGEST_DEVICE_NAME);
    await this.limits.countAsked(address);
    const client = await this.clients.find(clientId, address);
    const clientName = device === '' ? client.name : `${client.name} (${device})`;
    const deviceCode = newSecret();
    const userCode = await this.keep({
      id: newId(),
      deviceHash: secretHash(deviceCode),
      clientId,
      clientName,
      clientHost: client.host ?? null,
      scopes,
      address,
      secondsBetweenPolls: INTERVAL_SECONDS,
    });
    return {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: this.verificationUri,
      verification_uri_complete: `${this.verificationUri}?user_code=${userCode}`,
      expires_in: LIFE_SECONDS,
      interval: INTERVAL_SECONDS,
    };
  }

  /** Answers a device that asks whether it may. @throws OAuthError as long as, or when, it may not */
  async fetch(fields: Fields): Promise<TokenAnswer> {
    const clientId = required(fields, 'client_id', 2_048);
    const hash = secretHash(required(fields, 'device_code'));
    const request = await this.work.system(tx => pollRequest(tx, hash));
    if (!request || request.clientId !== clientId) throw new InvalidGrantError('This device code is not known here.');
    if (request.decision === 'denied') throw new AccessDeniedError('The person has denied it.');
    if (request.decision === 'approved') {
      const place = { workspaceId: request.decidedWorkspaceId!, grantId: request.id };
      return this.redeemer.redeem(place, hash, () => true);
    }
    if (request.isExpired) throw tooLate();
    throw request.isPollingTooFast ? slowDown(request.secondsBetweenPolls) : stillPending();
  }

  /** Two waiting codes being the same is as good as impossible; a full house is not. */
  private async keep(request: Omit<Parameters<typeof addDeviceRequest>[1], 'userCode'>): Promise<string> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const userCode = newUserCode();
      if (await this.work.system(tx => addDeviceRequest(tx, { ...request, userCode }, LIFE_SECONDS))) return userCode;
    }
    throw HubError.unavailable('Too many sign-ins wait for an answer; try again later.', undefined, 60);
  }
}
