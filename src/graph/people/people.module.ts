import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { FactsModule } from '../facts/facts.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { ObservationsModule } from '../observations/observations.module.js';
import { HistoricalPeopleService } from './historical-people.service.js';
import { PeopleController } from './people.controller.js';
import { PeopleWriteService } from './people-write.service.js';
import { PeopleService } from './people.service.js';
import { PersonWriter } from './person.writer.js';

/** People as rows: lists, reads and writes. */
@Module({
  imports: [FactsModule, IdentityModule, ClaimsModule, ObservationsModule],
  controllers: [PeopleController],
  providers: [HistoricalPeopleService, PeopleService, PersonWriter, PeopleWriteService],
  exports: [PersonWriter, HistoricalPeopleService],
})
export class PeopleModule {}
