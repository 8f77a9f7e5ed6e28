import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { ObservationsModule } from '../observations/observations.module.js';
import { VerifyController } from './verify.controller.js';
import { VerifyService } from './verify.service.js';
import { VerifyTools } from './verify.tools.js';

/** A second look at single facts, and its doors. */
@Module({
  imports: [ClaimsModule, IdentityModule, ObservationsModule],
  controllers: [VerifyController],
  providers: [VerifyService, VerifyTools],
})
export class VerifyModule {}
