import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { ObservationsModule } from '../observations/observations.module.js';
import { AccountsMergeController, MergesController } from './merges.controller.js';
import { AccountsMergeService, MergesService } from './merges.service.js';

/** Merging and unmerging of entities, and its endpoints. */
@Module({
  imports: [IdentityModule, ObservationsModule],
  controllers: [MergesController, AccountsMergeController],
  providers: [MergesService, AccountsMergeService],
})
export class MergesModule {}
