import { Module } from '@nestjs/common';
import { ConsentFlow } from './consent/consent.flow.js';
import { ConsentService } from './consent/consent.service.js';
import { EgressClients } from '#kernel/egress/egress.client.js';
import { CLIENT_DOCUMENTS_EGRESS, ClientDocumentCache } from './clients/client-document.cache.js';
import { ClientsService } from './clients/clients.service.js';
import { RegisteredClientStore } from './clients/registered-client.store.js';
import { AuthorizationService } from './grants/authorization.service.js';
import { DeviceService } from './grants/device.service.js';
import { TokenExchangeService } from './grants/token-exchange.service.js';
import { FailedAttempts, OAuthRateLimiter } from './oauth/oauth.rate-limiter.js';
import { OAuthHandlers } from './oauth/oauth.routes.js';
import { OAuthSweeper } from './oauth/oauth.sweeper.js';
import { RevocationService, TokenService } from './oauth/token.service.js';
import { ConsentStateService } from './consent/consent-state.service.js';

/** The OAuth authorization server: programs get API keys after a person consents in a browser. */
@Module({
  providers: [
    {
      provide: CLIENT_DOCUMENTS_EGRESS,
      useFactory: (egress: EgressClients) => egress.for({}),
      inject: [EgressClients],
    },
    ConsentFlow,
    ConsentService,
    AuthorizationService,
    ClientDocumentCache,
    ClientsService,
    DeviceService,
    FailedAttempts,
    OAuthHandlers,
    OAuthRateLimiter,
    OAuthSweeper,
    TokenExchangeService,
    RegisteredClientStore,
    RevocationService,
    ConsentStateService,
    TokenService,
  ],
})
export class AuthServerModule {}
