import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';

/** One search over people and companies. */
@Module({
  imports: [IdentityModule],
  controllers: [SearchController],
  providers: [SearchService],
  exports: [SearchService],
})
export class SearchModule {}
