import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { ScoreModule } from '../score/score.module.js';
import { AttentionController } from './attention.controller.js';
import { AttentionService } from './attention.service.js';
import { AttentionTools } from './attention.tools.js';

/** Provides the attention endpoint and tool. */
@Module({
  imports: [ClaimsModule, ScoreModule],
  controllers: [AttentionController],
  providers: [AttentionService, AttentionTools],
})
export class AttentionModule {}
