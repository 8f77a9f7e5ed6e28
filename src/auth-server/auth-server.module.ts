import { Module } from '@nestjs/common';
import { ApprovalsController } from './consent/approvals.controller.js';
import { ApprovalsService } from './consent/approvals.service.js';
import { ApprovalTicketsService } from './consent/approval-tickets.service.js';
import { ConsentService } from './consent/consent.service.js';
import { ConsentingPeopleService } from './consent/consenting-people.service.js';
import { EgressClients } from '#kernel/egress/egress.client.js';
import { CLIENT_DOCUMENTS_EGRESS, ClientDocumentCache } from './clients/client-document.cache.js';
import { ClientsService } from './clients/clients.service.js';
import { RegisteredClientStore } from './clients/registered-client.store.js';
import { AuthorizationService } from './grants/authorization.service.js';
import { DeviceService } from './grants/device.service.js';
import { GrantedKeysService } from './grants/granted-keys.service.js';
import { RefreshService } from './grants/refresh.service.js';
import { TokenExchangeService } from './grants/token-exchange.service.js';
import { FailedAttempts, OAuthRateLimiter } from './oauth/oauth.rate-limiter.js';
import { OAuthHandlers } from './oauth/oauth.routes.js';
import { OAuthSweeper } from './oauth/oauth.sweeper.js';
import { RevocationService, TokenService } from './oauth/token.service.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { SecretBox } from '#kernel/secrets/secret-box.js';
import { SessionAuthenticator } from '#kernel/auth/session-authenticator.js';
import { AuthDatabase } from './users/auth-database.js';
import { BETTER_AUTH, createBetterAuth } from './users/better-auth.js';
import { InvitationsService } from './users/invitations.service.js';
import { MembersController } from './users/members.controller.js';
import { MembersService } from './users/members.service.js';
import { NewMembersService } from './users/new-members.service.js';
import { OwnPagesGuard } from './users/own-pages.guard.js';
import { PasswordResetsService } from './users/password-resets.service.js';
import { SessionCallerCache } from './users/session-caller.cache.js';
import { PasskeysController } from './passkeys/passkeys.controller.js';
import { PasskeysService } from './passkeys/passkeys.service.js';
import { SecondFactorCodes } from './users/second-factor-codes.js';
import { SecondFactorController } from './second-factor/second-factor.controller.js';
import { deriveAuthSecrets } from './users/second-factor-secrets.js';
import { OIDC_EGRESS, oidcAccess, OidcProvider } from './single-sign-on/oidc-provider.js';
import { SingleSignOnController } from './single-sign-on/single-sign-on.controller.js';
import { SingleSignOnService } from './single-sign-on/single-sign-on.service.js';
import { SecondFactorService } from './second-factor/second-factor.service.js';
import { SetupController } from './setup/setup.controller.js';
import { SetupService } from './setup/setup.service.js';
import { NewWorkspacesController } from './workspaces/new-workspaces.controller.js';
import { NewWorkspacesService } from './workspaces/new-workspaces.service.js';
import { SignInController } from './users/sign-in.controller.js';
import { SignInSweeper } from './users/sign-in.sweeper.js';
import { SignInService } from './users/sign-in.service.js';

/**
 * People and programs that sign in: users, sessions, members and invitations, and the OAuth authorization server, by which
 * programs get API keys after a person consents in a browser.
 */
@Module({
  controllers: [
    SetupController,
    SignInController,
    SecondFactorController,
    PasskeysController,
    SingleSignOnController,
    MembersController,
    NewWorkspacesController,
    ApprovalsController,
  ],
  providers: [
    {
      provide: CLIENT_DOCUMENTS_EGRESS,
      useFactory: (egress: EgressClients) => egress.for({}),
      inject: [EgressClients],
    },
    {
      provide: OIDC_EGRESS,
      useFactory: (egress: EgressClients, { oidc }: Env) => egress.for(oidcAccess(oidc)),
      inject: [EgressClients, ENV],
    },
    ApprovalsService,
    ApprovalTicketsService,
    ConsentService,
    ConsentingPeopleService,
    AuthorizationService,
    ClientDocumentCache,
    ClientsService,
    DeviceService,
    FailedAttempts,
    OAuthHandlers,
    OAuthRateLimiter,
    OAuthSweeper,
    GrantedKeysService,
    RefreshService,
    TokenExchangeService,
    RegisteredClientStore,
    RevocationService,
    TokenService,
    AuthDatabase,
    {
      provide: BETTER_AUTH,
      useFactory: (database: AuthDatabase, box: SecretBox, { publicUrl }: Env) =>
        createBetterAuth({ database, publicUrl, secrets: deriveAuthSecrets(box) }),
      inject: [AuthDatabase, SecretBox, ENV],
    },
    InvitationsService,
    MembersService,
    NewMembersService,
    NewWorkspacesService,
    OidcProvider,
    OwnPagesGuard,
    PasswordResetsService,
    PasskeysService,
    SecondFactorCodes,
    SecondFactorService,
    SessionCallerCache,
    SetupService,
    { provide: SessionAuthenticator, useExisting: SessionCallerCache },
    SignInService,
    SignInSweeper,
    SingleSignOnService,
  ],
})
export class AuthServerModule {}
