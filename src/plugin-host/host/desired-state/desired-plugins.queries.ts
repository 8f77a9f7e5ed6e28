import type { UnitOfWork } from '#kernel/db/unit-of-work.js';

/** What operators want of a plugin. `generation` counts the times that it was to be loaded anew. */
export interface DesiredPlugin {
  readonly plugin: string;
  readonly enabled: boolean;
  readonly generation: number;
}

/** Stands for all plugins: looks for new ones, and loads all of them anew. */
export const ALL_PLUGINS = '*';

/** All wishes that were ever made; a plugin without one is enabled. */
export function readDesiredState(work: UnitOfWork): Promise<DesiredPlugin[]> {
  return work.system(tx => tx.query<DesiredPlugin>('SELECT plugin, enabled, generation FROM plugin_desired_states'));
}

/** Enables or disables a plugin; running hubs follow within seconds. */
export async function setEnabled(work: UnitOfWork, plugin: string, enabled: boolean): Promise<void> {
  await work.system(tx =>
    tx.query(
      `INSERT INTO plugin_desired_states (plugin, enabled) VALUES ($1, $2)
       ON CONFLICT (plugin) DO UPDATE SET enabled = excluded.enabled, updated_at = now()`,
      [plugin, enabled],
    ),
  );
}

/** Has a plugin loaded anew, or every plugin ({@link ALL_PLUGINS}); running hubs follow within seconds. */
export async function requestReload(work: UnitOfWork, plugin: string): Promise<void> {
  await work.system(tx =>
    tx.query(
      `INSERT INTO plugin_desired_states (plugin, generation) VALUES ($1, 1)
       ON CONFLICT (plugin) DO UPDATE SET generation = plugin_desired_states.generation + 1, updated_at = now()`,
      [plugin],
    ),
  );
}
