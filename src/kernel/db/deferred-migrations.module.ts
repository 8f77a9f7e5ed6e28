import { Module } from '@nestjs/common';
import { DeferredMigrationTask } from './deferred-migrations.js';

/** Runs deferred migrations in the background. */
@Module({ providers: [DeferredMigrationTask] })
export class DeferredMigrationsModule {}
