import { Module } from '@nestjs/common';
import { DeferredMigrationTask } from './deferred-migrations.js';
import { StatisticsRefresher } from './statistics.refresher.js';

/** Background tasks of the database: deferred migrations, and statistics for the planner. */
@Module({ providers: [DeferredMigrationTask, StatisticsRefresher] })
export class DatabaseTasksModule {}
