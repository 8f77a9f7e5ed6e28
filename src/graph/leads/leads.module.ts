import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { DedupModule } from '../dedup/dedup.module.js';
import { FactsModule } from '../facts/facts.module.js';
import { PeopleModule } from '../people/people.module.js';
import { ScoreModule } from '../score/score.module.js';
import { AddLeadsService } from './add-leads.service.js';
import { LeadUpdateService } from './lead-update.service.js';
import { LeadListsController } from './lead-lists.controller.js';
import { LeadListsService } from './lead-lists.service.js';
import { LeadsController } from './leads.controller.js';
import { LeadsService } from './leads.service.js';

/** Leads and lead lists. */
@Module({
  imports: [ClaimsModule, FactsModule, PeopleModule, ScoreModule, DedupModule],
  controllers: [LeadsController, LeadListsController],
  providers: [LeadsService, AddLeadsService, LeadUpdateService, LeadListsService],
  exports: [LeadsService],
})
export class LeadsModule {}
