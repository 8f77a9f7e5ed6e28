import { Module } from '@nestjs/common';
import { FactsController } from './facts.controller.js';
import { FactsReader } from './facts-reader.service.js';
import { FactsService } from './facts.service.js';

/** The workspace's own facts and their doors. */
@Module({ controllers: [FactsController], providers: [FactsService, FactsReader], exports: [FactsService] })
export class FactsModule {}
