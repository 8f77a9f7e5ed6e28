import { Module } from '@nestjs/common';
import { DeferredMigrationTask } from './deferred-migration.task.js';

/** Runs deferred migrations in the background. */
@Module({ providers: [DeferredMigrationTask] })
export class DeferredMigrationsModule {}
