import { Injectable } from '@nestjs/common';
import { type JobOf, type RunInfo } from '@rapport/plugin-sdk';
import { type Hub, plugin } from '../plugin.js';

/** Starts a sync of changes every ten minutes, where the workspace wants that. */
@Injectable()
export class ScheduleJob {
  @plugin.OnJob('schedule')
  async run(_job: JobOf<typeof plugin, 'schedule'>, hub: Hub): Promise<void> {
    if (hub.settings.auto_sync) await startSync(hub, {});
  }
}

/** How a sync is started. */
export interface SyncInput {
  readonly mode?: 'changes' | 'full';
  readonly dry_run?: boolean;
}

/** Starts a sync; while one is unfinished, it is returned instead. A dry run can go on beside a sync. */
export function startSync(hub: Hub, { mode = 'changes', dry_run = false }: SyncInput): Promise<RunInfo> {
  return hub.runs.start('sync', { mode, dry_run }, { key: dry_run ? 'dry-run' : 'sync' });
}
