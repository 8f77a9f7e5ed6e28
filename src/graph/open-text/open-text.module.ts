import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { FactsModule } from '../facts/facts.module.js';
import { ObservationsModule } from '../observations/observations.module.js';
import { ExtractorsService } from './extractors.service.js';
import { OpenTextController } from './open-text.controller.js';
import { OpenTextService } from './open-text.service.js';
import { OpenTextTools } from './open-text.tools.js';
import { TextSubjectService } from './text-subject.service.js';

/** Provides the endpoint that records from text, and the tool `record`. */
@Module({
  imports: [ClaimsModule, FactsModule, ObservationsModule],
  controllers: [OpenTextController],
  providers: [OpenTextService, ExtractorsService, TextSubjectService, OpenTextTools],
  exports: [OpenTextService],
})
export class OpenTextModule {}
