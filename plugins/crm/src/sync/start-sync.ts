import type { RunInfo } from '@rapport/plugin-sdk';
import type { EntityObject } from '../adapters/adapter.js';
import type { Hub } from '../plugin.js';

/** How a sync is started. */
export interface SyncInput {
  readonly mode?: 'changes' | 'full';
  readonly dry_run?: boolean;
  /** The only record to read and write. */
  readonly record?: { readonly object: EntityObject; readonly id: string };
}

/** Starts a sync; while one is unfinished, it is returned instead. A dry run can go on beside a sync. */
export function startSync(hub: Hub, { mode = 'changes', dry_run = false, ...rest }: SyncInput): Promise<RunInfo> {
  return hub.runs.start('sync', { mode, dry_run, ...rest }, { key: dry_run ? 'dry-run' : 'sync' });
}
