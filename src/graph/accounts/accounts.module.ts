import { Module } from '@nestjs/common';
import { FactsModule } from '../facts/facts.module.js';
import { ClaimsModule } from '../claims/claims.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { ObservationsModule } from '../observations/observations.module.js';
import { PeopleModule } from '../people/people.module.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsService } from './accounts.service.js';
import { AccountsTools } from './accounts.tools.js';
import { ClaimEvidenceService } from './claim-evidence.service.js';
import { ClaimReaderService } from './claim-reader.service.js';
import { MergePreviewService } from './merge-preview.service.js';
import { TimelineExportService } from './timeline-export.service.js';
import { TimelineService } from './timeline.service.js';
import { CompanyPeopleService } from './company-people.service.js';

/** Provides the account endpoint and tool, and the reader of claims. */
@Module({
  imports: [FactsModule, IdentityModule, ClaimsModule, ObservationsModule, PeopleModule],
  controllers: [AccountsController],
  providers: [
    AccountsService,
    AccountsTools,
    ClaimEvidenceService,
    ClaimReaderService,
    CompanyPeopleService,
    MergePreviewService,
    TimelineExportService,
    TimelineService,
  ],
  exports: [AccountsService, ClaimReaderService, CompanyPeopleService],
})
export class AccountsModule {}
