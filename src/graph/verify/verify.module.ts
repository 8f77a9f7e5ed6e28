import { Module } from '@nestjs/common';
import { PluginHostModule } from '#plugin-host/plugin-host.module.js';
import { ClaimsModule } from '../claims/claims.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { ObservationsModule } from '../observations/observations.module.js';
import { RefreshRequestService, VerifyService } from './verify.service.js';
import { VerifyController } from './verify.controller.js';
import { VerifyTools } from './verify.tools.js';

/** Provides the verify endpoint and tool. */
@Module({
  imports: [ClaimsModule, IdentityModule, ObservationsModule, PluginHostModule],
  controllers: [VerifyController],
  providers: [RefreshRequestService, VerifyService, VerifyTools],
})
export class VerifyModule {}
