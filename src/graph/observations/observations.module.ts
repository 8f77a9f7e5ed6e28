import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { ClaimChecker } from './claim-checker.js';
import { ClusterFolder } from './cluster-folder.js';
import { HistoryService } from './history.service.js';
import { LogWriter } from './log-writer.js';
import { ObservationWriter } from './observation-writer.js';
import { ObservationsController } from './observations.controller.js';
import { ObservationsService } from './observations.service.js';
import { RivalsService } from './rivals.service.js';

/** The append-only log and its doors. */
@Module({
  imports: [IdentityModule, ClaimsModule],
  controllers: [ObservationsController],
  providers: [
    ClaimChecker,
    ObservationsService,
    ObservationWriter,
    LogWriter,
    HistoryService,
    ClusterFolder,
    RivalsService,
  ],
  exports: [ObservationsService, ObservationWriter, HistoryService, ClusterFolder, RivalsService],
})
export class ObservationsModule {}
