import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { FactsModule } from '../facts/facts.module.js';
import { ObservationsModule } from '../observations/observations.module.js';
import { DoorsService } from './doors.service.js';
import { OpenTextController } from './open-text.controller.js';
import { OpenTextService } from './open-text.service.js';
import { RecordTools } from './record.tools.js';
import { SubjectService } from './subject.service.js';

/** Recording from open text, and the tool `record`. */
@Module({
  imports: [ClaimsModule, FactsModule, ObservationsModule],
  controllers: [OpenTextController],
  providers: [OpenTextService, DoorsService, SubjectService, RecordTools],
  exports: [OpenTextService],
})
export class OpenTextModule {}
