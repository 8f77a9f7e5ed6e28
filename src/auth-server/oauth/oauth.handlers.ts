import { Inject, Injectable } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { ConsentFlow } from '../consent/consent.flow.js';
import { ClientsService } from '../clients/clients.service.js';
import { DeviceService } from '../grants/device.service.js';
import { type OAuthUrls, buildOAuthUrls } from './oauth.urls.js';
import { RevocationService } from './revocation.service.js';
import { TokenService } from './token.service.js';

/** Groups the services behind the OAuth routes. */
@Injectable()
export class OAuthHandlers {
  readonly urls: OAuthUrls;

  constructor(
    @Inject(ENV) { publicUrl }: Env,
    readonly consent: ConsentFlow,
    readonly clients: ClientsService,
    readonly device: DeviceService,
    readonly token: TokenService,
    readonly revocation: RevocationService,
  ) {
    this.urls = buildOAuthUrls(publicUrl);
  }
}
