import { Module } from '@nestjs/common';
import { ApprovalFlow } from './approval.flow.js';
import { ApprovalService } from './approval.service.js';
import { EgressClients } from '#kernel/egress/egress.clients.js';
import { CLIENT_DOCUMENTS_EGRESS, ClientDocuments } from './clients/client-documents.js';
import { ClientsService } from './clients/clients.service.js';
import { RegisteredClients } from './clients/registered-clients.js';
import { AuthorizationService } from './grants/authorization.service.js';
import { DeviceService } from './grants/device.service.js';
import { Redeemer } from './grants/redeemer.service.js';
import { OAuthDoor } from './oauth.door.js';
import { OAuthLimits } from './oauth.limits.js';
import { OAuthSweeper } from './oauth.sweeper.js';
import { RevocationService } from './revocation.service.js';
import { TicketService } from './ticket.service.js';
import { TokenService } from './token.service.js';

/** How programs get keys of a workspace: by a person who approves them in a browser. */
@Module({
  providers: [
    {
      provide: CLIENT_DOCUMENTS_EGRESS,
      useFactory: (egress: EgressClients) => egress.for({}),
      inject: [EgressClients],
    },
    ApprovalFlow,
    ApprovalService,
    AuthorizationService,
    ClientDocuments,
    ClientsService,
    DeviceService,
    OAuthDoor,
    OAuthLimits,
    OAuthSweeper,
    Redeemer,
    RegisteredClients,
    RevocationService,
    TicketService,
    TokenService,
  ],
})
export class OAuthModule {}
