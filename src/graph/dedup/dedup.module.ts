import { Module } from '@nestjs/common';
import { DedupController } from './dedup.controller.js';
import { DedupService } from './dedup.service.js';
import { DedupTools } from './dedup.tools.js';

/** Telling who may be written to, and its doors. */
@Module({ controllers: [DedupController], providers: [DedupService, DedupTools], exports: [DedupService] })
export class DedupModule {}
