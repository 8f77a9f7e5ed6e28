import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { PeopleModule } from '../people/people.module.js';
import { CompaniesController } from './companies.controller.js';
import { CompaniesService } from './companies.service.js';

/** Companies as rows: lists and reads. */
@Module({
  imports: [IdentityModule, ClaimsModule, PeopleModule],
  controllers: [CompaniesController],
  providers: [CompaniesService],
})
export class CompaniesModule {}
