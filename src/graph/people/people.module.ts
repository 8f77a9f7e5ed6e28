import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { ObservationsModule } from '../observations/observations.module.js';
import { PastPeople } from './past-people.service.js';
import { PeopleController } from './people.controller.js';
import { PeopleWrites } from './people-writes.service.js';
import { PeopleService } from './people.service.js';
import { PersonWriter } from './person-writer.js';

/** People as rows. */
@Module({
  imports: [IdentityModule, ClaimsModule, ObservationsModule],
  controllers: [PeopleController],
  providers: [PastPeople, PeopleService, PersonWriter, PeopleWrites],
  exports: [PersonWriter, PastPeople],
})
export class PeopleModule {}
