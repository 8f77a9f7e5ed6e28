import { Injectable } from '@nestjs/common';
import { UnsupportedGrantTypeError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { type FormFields, requireParam } from './form.js';
import { AuthorizationService } from '../grants/authorization.service.js';
import { DeviceService } from '../grants/device.service.js';
import type { TokenResponse } from '../grants/token-exchange.service.js';

const CODE_GRANT = 'authorization_code';
/** Grant type of the device flow (RFC 8628, section 3.4). */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** The token endpoint: exchanges codes for API keys. */
@Injectable()
export class TokenService {
  constructor(
    private readonly authorization: AuthorizationService,
    private readonly device: DeviceService,
  ) {}

  /** Exchanges a code by its `grant_type`. @throws OAuthError */
  async exchange(fields: FormFields): Promise<TokenResponse> {
    const grantType = requireParam(fields, 'grant_type');
    if (grantType === CODE_GRANT) return this.authorization.exchange(fields);
    if (grantType === DEVICE_GRANT) return this.device.exchange(fields);
    throw new UnsupportedGrantTypeError(`grant_type must be ${CODE_GRANT} or ${DEVICE_GRANT}.`);
  }
}
