import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { ObservationsModule } from '../observations/observations.module.js';
import { PeopleController } from './people.controller.js';
import { PeopleService } from './people.service.js';

/** People as rows. */
@Module({
  imports: [IdentityModule, ObservationsModule],
  controllers: [PeopleController],
  providers: [PeopleService],
  exports: [PeopleService],
})
export class PeopleModule {}
