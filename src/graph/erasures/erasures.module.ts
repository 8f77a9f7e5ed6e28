import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { ObservationsModule } from '../observations/observations.module.js';
import { ErasureJob } from './erasure.job.js';
import { ErasuresController, PersonErasureController } from './erasures.controller.js';
import { ErasuresService } from './erasures.service.js';

/** Erasure of people. */
@Module({
  imports: [IdentityModule, ClaimsModule, ObservationsModule],
  controllers: [PersonErasureController, ErasuresController],
  providers: [ErasuresService, ErasureJob],
})
export class ErasuresModule {}
