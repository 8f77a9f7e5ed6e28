import { Module } from '@nestjs/common';
import { FactsModule } from '../facts/facts.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { ObservationsModule } from '../observations/observations.module.js';
import { ScoreModule } from '../score/score.module.js';
import { EntityRetractor } from './entity-retractor.js';
import { RetractionsController } from './retractions.controller.js';
import { RetractionsService } from './retractions.service.js';

/** Withdraws what a source stated. */
@Module({
  imports: [IdentityModule, FactsModule, ObservationsModule, ScoreModule],
  controllers: [RetractionsController],
  providers: [RetractionsService, EntityRetractor],
  exports: [RetractionsService],
})
export class RetractionsModule {}
