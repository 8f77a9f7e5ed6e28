import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { FactsModule } from '../facts/facts.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { ClaimAuditJob } from './claim-audit.job.js';
import { ClusterRebuilder } from './claim-rebuild.js';
import { HistoryService } from './history.service.js';
import { ObservationAppender } from './observation-appender.js';
import { RecordBatchWriter } from './record-batch.writer.js';
import { CorrectionsService } from './corrections.service.js';
import { ObservationReaderService } from './observation-reader.service.js';
import { ObservationsController } from './observations.controller.js';
import { ObservationsService } from './observations.service.js';
import { IdentifierConflictsService } from './identifier-conflicts.service.js';

/** The append-only log and its endpoint. */
@Module({
  imports: [FactsModule, IdentityModule, ClaimsModule],
  controllers: [ObservationsController],
  providers: [
    ClaimAuditJob,
    ObservationReaderService,
    ObservationsService,
    RecordBatchWriter,
    ObservationAppender,
    CorrectionsService,
    HistoryService,
    ClusterRebuilder,
    IdentifierConflictsService,
  ],
  exports: [ObservationsService, RecordBatchWriter, HistoryService, ClusterRebuilder, IdentifierConflictsService],
})
export class ObservationsModule {}
