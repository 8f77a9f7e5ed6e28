import { Injectable } from '@nestjs/common';
import { UnsupportedGrantTypeError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { type FormFields, requireParam } from './form.js';
import { AuthorizationService } from '../grants/authorization.service.js';
import { DeviceService } from '../grants/device.service.js';
import type { TokenResponse } from '../grants/token-exchange.service.js';

const CODE_GRANT = 'authorization_code';
/** Name of the device grant in requests (RFC 8628, 3.4). */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** The token endpoint: hands out the key that a person has granted. */
@Injectable()
export class TokenService {
  constructor(
    private readonly authorization: AuthorizationService,
    private readonly device: DeviceService,
  ) {}

  /** @throws OAuthError */
  async exchange(fields: FormFields): Promise<TokenResponse> {
    const grant = requireParam(fields, 'grant_type');
    if (grant === CODE_GRANT) return this.authorization.exchange(fields);
    if (grant === DEVICE_GRANT) return this.device.exchange(fields);
    throw new UnsupportedGrantTypeError(`The grant_type is ${CODE_GRANT} or ${DEVICE_GRANT}.`);
  }
}
