import { Module } from '@nestjs/common';
import { FactsModule } from '../facts/facts.module.js';
import { DedupController } from './dedup.controller.js';
import { DedupService } from './dedup.service.js';
import { DedupTools } from './dedup.tools.js';

/** Provides the dedup endpoint and tool. */
@Module({
  imports: [FactsModule],
  controllers: [DedupController],
  providers: [DedupService, DedupTools],
  exports: [DedupService],
})
export class DedupModule {}
