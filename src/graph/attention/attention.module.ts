import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { ScoreModule } from '../score/score.module.js';
import { AttentionController } from './attention.controller.js';
import { AttentionService } from './attention.service.js';
import { AttentionTools } from './attention.tools.js';
import { AttentionMarksController } from './marks.controller.js';
import { AttentionMarksService } from './marks.service.js';
import { WorkCalendars } from './work-calendars.js';

/** Provides the attention endpoints and tool. */
@Module({
  imports: [ClaimsModule, ScoreModule],
  controllers: [AttentionController, AttentionMarksController],
  providers: [AttentionService, AttentionMarksService, AttentionTools, WorkCalendars],
})
export class AttentionModule {}
