import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { FactsModule } from '../facts/facts.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { ObservationsModule } from '../observations/observations.module.js';
import { EvidenceService } from './evidence.service.js';
import { ScoreService } from './score.service.js';
import { ScoreSettingsService } from './score-settings.service.js';
import { ScoreWriter } from './score.writer.js';
import { ScoreController } from './score.controller.js';
import { EntityScoringService } from './entity-scoring.service.js';
import { ScoreTools } from './score.tools.js';
import { ScoreTargetsService } from './score-targets.service.js';

/** Provides the score endpoint and tool, and scoring for other modules. */
@Module({
  imports: [IdentityModule, FactsModule, ClaimsModule, ObservationsModule],
  controllers: [ScoreController],
  providers: [
    EvidenceService,
    ScoreSettingsService,
    EntityScoringService,
    ScoreWriter,
    ScoreTargetsService,
    ScoreService,
    ScoreTools,
  ],
  exports: [EntityScoringService, EvidenceService, ScoreTargetsService, ScoreService, ScoreSettingsService],
})
export class ScoreModule {}
