import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { PluginInfo } from './plugin-record.js';

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

/** A status older than this belongs to a process that has died. */
const STATUS_TTL_SECONDS = 90;
const STATUS_RETENTION = '1 day';

/** The state of one plugin in one process. */
export interface PluginStatus extends PluginInfo {
  readonly process: string;
}

/** Replaces the statuses that a process has published, and deletes those older than a day. */
export function publishStatus(work: UnitOfWork, process: string, plugins: readonly PluginInfo[]): Promise<void> {
  return work.system(async tx => {
    await tx.query(
      `DELETE FROM plugin_statuses WHERE process = $1 OR seen_at < now() - interval '${STATUS_RETENTION}'`,
      [process],
    );
    await tx.query(
      `INSERT INTO plugin_statuses (process, position, plugin, package, version, state, reason)
       SELECT $1, position, plugin, package, version, state, reason
       FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) WITH ORDINALITY
         AS row (plugin, package, version, state, reason, position)`,
      [
        process,
        plugins.map(({ id }) => id),
        plugins.map(each => each.package),
        plugins.map(({ version }) => version),
        plugins.map(({ state }) => state),
        plugins.map(({ reason }) => reason ?? null),
      ],
    );
  });
}

/** Reads the plugin statuses of all live processes, ordered by plugin. */
export function readStatuses(work: UnitOfWork): Promise<PluginStatus[]> {
  return work.system(tx =>
    tx.query<PluginStatus>(
      `SELECT process, plugin AS id, package, version, state, reason FROM plugin_statuses
       WHERE seen_at > now() - make_interval(secs => $1) ORDER BY plugin, position, process`,
      [STATUS_TTL_SECONDS],
    ),
  );
}
