import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { ObservationsModule } from '../observations/observations.module.js';
import { PeopleController } from './people.controller.js';
import { PeopleWrites } from './people-writes.service.js';
import { PeopleService } from './people.service.js';
import { PersonWriter } from './person-writer.js';

/** People as rows. */
@Module({
  imports: [IdentityModule, ObservationsModule],
  controllers: [PeopleController],
  providers: [PeopleService, PersonWriter, PeopleWrites],
  exports: [PersonWriter],
})
export class PeopleModule {}
