import { Module } from '@nestjs/common';
import { FactsController } from './facts.controller.js';
import { FactsReadService } from './facts-read.service.js';
import { FactsService } from './facts.service.js';
import { ProfileCache, ScaleCache } from './facts.caches.js';

/** The workspace's own facts and their endpoints. */
@Module({
  controllers: [FactsController],
  providers: [FactsService, FactsReadService, ProfileCache, ScaleCache],
  exports: [FactsService, ProfileCache, ScaleCache],
})
export class FactsModule {}
