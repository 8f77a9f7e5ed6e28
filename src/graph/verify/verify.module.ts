import { Module } from '@nestjs/common';
import { PluginsModule } from '#kernel/plugins/plugins.module.js';
import { ClaimsModule } from '../claims/claims.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { ObservationsModule } from '../observations/observations.module.js';
import { RefreshWishes } from './refresh-wishes.service.js';
import { VerifyController } from './verify.controller.js';
import { VerifyService } from './verify.service.js';
import { VerifyTools } from './verify.tools.js';

/** A second look at single facts, and its doors. */
@Module({
  imports: [ClaimsModule, IdentityModule, ObservationsModule, PluginsModule],
  controllers: [VerifyController],
  providers: [RefreshWishes, VerifyService, VerifyTools],
})
export class VerifyModule {}
