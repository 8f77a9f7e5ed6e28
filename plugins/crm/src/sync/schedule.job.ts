import { Injectable } from '@nestjs/common';
import type { JobOf } from '@rapport/plugin-sdk';
import { type Hub, plugin } from '../plugin.js';
import { startSync } from './start-sync.js';

/** Starts a sync of changes every ten minutes, where the workspace wants that. */
@Injectable()
export class ScheduleJob {
  @plugin.OnJob('schedule')
  async run(_job: JobOf<typeof plugin, 'schedule'>, hub: Hub): Promise<void> {
    if (hub.settings.auto_sync) await startSync(hub, {});
  }
}
