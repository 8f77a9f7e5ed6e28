import type { UnitOfWork } from '#kernel/db/unit-of-work.js';

/** What operators want of a plugin. `generation` counts the times that it was to be loaded anew. */
export interface PluginWish {
  readonly plugin: string;
  readonly enabled: boolean;
  readonly generation: number;
}

/** Stands for all plugins: looks for new ones, and loads all of them anew. */
export const EVERY_PLUGIN = '*';

/** All wishes that were ever made; a plugin without one is enabled. */
export function readWishes(work: UnitOfWork): Promise<PluginWish[]> {
  return work.system(tx => tx.query<PluginWish>('SELECT plugin, enabled, generation FROM plugin_desired_states'));
}

/** Enables or disables a plugin; running hubs follow within seconds. */
export async function wishEnabled(work: UnitOfWork, plugin: string, enabled: boolean): Promise<void> {
  await work.system(tx =>
    tx.query(
      `INSERT INTO plugin_desired_states (plugin, enabled) VALUES ($1, $2)
       ON CONFLICT (plugin) DO UPDATE SET enabled = excluded.enabled, updated_at = now()`,
      [plugin, enabled],
    ),
  );
}

/** Has a plugin loaded anew, or every plugin ({@link EVERY_PLUGIN}); running hubs follow within seconds. */
export async function wishReload(work: UnitOfWork, plugin: string): Promise<void> {
  await work.system(tx =>
    tx.query(
      `INSERT INTO plugin_desired_states (plugin, generation) VALUES ($1, 1)
       ON CONFLICT (plugin) DO UPDATE SET generation = plugin_desired_states.generation + 1, updated_at = now()`,
      [plugin],
    ),
  );
}
