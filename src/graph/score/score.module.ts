import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { FactsModule } from '../facts/facts.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { ObservationsModule } from '../observations/observations.module.js';
import { EvidenceService } from './evidence.service.js';
import { ScoreCalls } from './score-calls.service.js';
import { ScoreSettingsReader } from './score-settings.js';
import { ScoreWriter } from './score-writer.js';
import { ScoreController } from './score.controller.js';
import { ScoreService } from './score.service.js';
import { ScoreTools } from './score.tools.js';
import { WhomService } from './whom.service.js';

/** Scoring and its doors. */
@Module({
  imports: [IdentityModule, FactsModule, ClaimsModule, ObservationsModule],
  controllers: [ScoreController],
  providers: [EvidenceService, ScoreSettingsReader, ScoreService, ScoreWriter, WhomService, ScoreCalls, ScoreTools],
  exports: [ScoreService, EvidenceService, WhomService, ScoreCalls, ScoreSettingsReader],
})
export class ScoreModule {}
