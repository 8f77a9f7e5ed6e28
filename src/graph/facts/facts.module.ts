import { Module } from '@nestjs/common';
import { FactsController } from './facts.controller.js';
import { FactsReader } from './facts-reader.service.js';
import { FactsService } from './facts.service.js';
import { OwnDomains } from './own-domains.js';
import { ScaleBook } from './scale-book.js';

/** The workspace's own facts and their doors. */
@Module({
  controllers: [FactsController],
  providers: [FactsService, FactsReader, OwnDomains, ScaleBook],
  exports: [FactsService, OwnDomains],
})
export class FactsModule {}
