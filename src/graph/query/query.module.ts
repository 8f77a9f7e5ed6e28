import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { PeopleModule } from '../people/people.module.js';
import { QueryController } from './query.controller.js';
import { QueryService } from './query.service.js';
import { SearchModule } from '../search/search.module.js';
import { QueryTools } from './query.tools.js';
import { SummaryService } from './summary.service.js';
import { VocabularyResource } from './vocabulary.resource.js';

/** Provides the query endpoint and tool. */
@Module({
  imports: [SearchModule, ClaimsModule, IdentityModule, PeopleModule],
  controllers: [QueryController],
  providers: [QueryService, SummaryService, QueryTools, VocabularyResource],
  exports: [QueryService],
})
export class QueryModule {}
