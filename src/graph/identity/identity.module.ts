import { Module } from '@nestjs/common';
import { FactsModule } from '../facts/facts.module.js';
import { EntityResolverService } from './entity-resolver.service.js';
import { IdentityService } from './identity.service.js';
import { LinksService } from './links.service.js';
import { SuppressionService } from './suppression.service.js';

/** Resolves, creates and links entities by their identifiers. */
@Module({
  imports: [FactsModule],
  providers: [EntityResolverService, IdentityService, LinksService, SuppressionService],
  exports: [EntityResolverService, IdentityService, LinksService, SuppressionService],
})
export class IdentityModule {}
