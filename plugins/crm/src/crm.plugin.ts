import { Module } from '@nestjs/common';
import { CrmConnection } from './crm.connection.js';
import { PushRoutes } from './routes/push.routes.js';
import { SyncRoutes } from './routes/sync.routes.js';
import { ScheduleJob } from './sync/schedule.job.js';
import { SyncRun } from './sync/sync.run.js';

/** The plugin: opened by the hub in a Nest container of its own. */
@Module({ providers: [CrmConnection, SyncRun, ScheduleJob, SyncRoutes, PushRoutes] })
export class CrmPlugin {}

export default CrmPlugin;
