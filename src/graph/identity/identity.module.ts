import { Module } from '@nestjs/common';
import { FactsModule } from '../facts/facts.module.js';
import { FinderService } from './finder.service.js';
import { IdentityService } from './identity.service.js';
import { KnownOwners } from './known-owners.js';
import { LinksService } from './links.service.js';

/** Who is who. */
@Module({
  imports: [FactsModule],
  providers: [FinderService, IdentityService, KnownOwners, LinksService],
  exports: [FinderService, IdentityService, LinksService],
})
export class IdentityModule {}
