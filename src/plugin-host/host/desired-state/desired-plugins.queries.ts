import type { UnitOfWork } from '#kernel/db/unit-of-work.js';

/** The state that operators want a plugin to have. `generation` counts the requested reloads. */
export interface DesiredPlugin {
  readonly plugin: string;
  readonly enabled: boolean;
  readonly generation: number;
}

/** Stands for all plugins. Reloading it also discovers new plugins. */
export const ALL_PLUGINS = '*';

/** Reads the desired state of all plugins that have one; a plugin without one is enabled. */
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

/** Requests a reload of a plugin, or of every plugin ({@link ALL_PLUGINS}); running hubs follow within seconds. */
export async function requestReload(work: UnitOfWork, plugin: string): Promise<void> {
  await work.system(tx =>
    tx.query(
      `INSERT INTO plugin_desired_states (plugin, generation) VALUES ($1, 1)
       ON CONFLICT (plugin) DO UPDATE SET generation = plugin_desired_states.generation + 1, updated_at = now()`,
      [plugin],
    ),
  );
}
