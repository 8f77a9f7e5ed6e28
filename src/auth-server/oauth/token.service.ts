import { Injectable } from '@nestjs/common';
import { UnsupportedTokenTypeError, UnsupportedGrantTypeError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { ApiKeysService } from '#kernel/auth/api-keys.service.js';
import { ApiKeyCache } from '#kernel/auth/api-key.lookup.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { type FormFields, requireParam } from './form.js';
import { AuthorizationService } from '../grants/authorization.service.js';
import { DeviceService } from '../grants/device.service.js';
import type { TokenResponse } from '../grants/granted-keys.service.js';
import { RefreshService } from '../grants/refresh.service.js';

/** Token revocation (RFC 7009): who holds a key or a refresh token of a sign-in may revoke it, without any scope. */
@Injectable()
export class RevocationService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly keys: ApiKeysService,
    private readonly cache: ApiKeyCache,
    private readonly refreshes: RefreshService,
  ) {}

  /**
   * Revokes the key or refresh token in `token`. With the one the other stops working. What is invalid is ignored, as
   * RFC 7009, section 2.2, requires.
   * @throws OAuthError `unsupported_token_type` for a key that was not issued for a sign-in
   */
  async revoke(fields: FormFields): Promise<void> {
    const token = requireParam(fields, 'token');
    const caller = await this.cache.resolve(token);
    if (!caller) return void (await this.refreshes.revoke(token));
    const { workspaceId, actor } = caller;
    if (actor.kind !== 'oauth')
      throw new UnsupportedTokenTypeError(
        'This key was not issued for a sign-in. Revoke it in the API key management.',
      );
    await this.work.run(workspaceId, tx => this.keys.revoke(tx, actor.id));
    this.cache.markRevoked(actor.id);
  }
}

const CODE_GRANT = 'authorization_code';
/** Grant type of the device flow (RFC 8628, section 3.4). */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** Grant type of a refresh (RFC 6749, section 6). */
export const REFRESH_GRANT = 'refresh_token';

/** The token endpoint: exchanges codes and refresh tokens for API keys. */
@Injectable()
export class TokenService {
  constructor(
    private readonly authorization: AuthorizationService,
    private readonly device: DeviceService,
    private readonly refreshes: RefreshService,
  ) {}

  /** Exchanges a code or a refresh token by its `grant_type`. @throws OAuthError */
  async exchange(fields: FormFields): Promise<TokenResponse> {
    const grantType = requireParam(fields, 'grant_type');
    if (grantType === CODE_GRANT) return this.authorization.exchange(fields);
    if (grantType === DEVICE_GRANT) return this.device.exchange(fields);
    if (grantType === REFRESH_GRANT) return this.refreshes.refresh(fields);
    throw new UnsupportedGrantTypeError(`grant_type must be ${CODE_GRANT}, ${REFRESH_GRANT} or ${DEVICE_GRANT}.`);
  }
}
