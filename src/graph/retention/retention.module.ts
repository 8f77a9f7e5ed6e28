import { Module } from '@nestjs/common';
import { RetentionController } from './retention.controller.js';
import { RetentionJob } from './retention.job.js';
import { RetentionService } from './retention.service.js';

/** Retention settings, and the nightly job that applies them. */
@Module({ controllers: [RetentionController], providers: [RetentionService, RetentionJob] })
export class RetentionModule {}
