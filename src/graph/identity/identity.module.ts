import { Module } from '@nestjs/common';
import { FactsModule } from '../facts/facts.module.js';
import { EntityResolverService } from './entity-resolver.service.js';
import { FocusInputService } from './focus-input.service.js';
import { IdentityService } from './identity.service.js';
import { LikenessJob } from './likeness.job.js';
import { LinksService } from './links.service.js';
import { NameSearchService } from './name-search.service.js';
import { SuppressionService } from './suppression.service.js';

/** Resolves, creates and links entities by their identifiers. */
@Module({
  imports: [FactsModule],
  providers: [
    EntityResolverService,
    FocusInputService,
    IdentityService,
    LikenessJob,
    LinksService,
    NameSearchService,
    SuppressionService,
  ],
  exports: [
    EntityResolverService,
    FocusInputService,
    IdentityService,
    LinksService,
    NameSearchService,
    SuppressionService,
  ],
})
export class IdentityModule {}
