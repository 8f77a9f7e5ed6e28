import { toIso } from '#domain/time/instant.js';
import type { Database } from '#kernel/db/database.js';
import {
  readStatuses,
  type PluginStatus,
  ALL_PLUGINS,
  readDesiredState,
  setEnabled,
  requestReload,
} from '#plugin-host/host/desired-state.queries.js';
import { JobStore } from '#plugin-host/jobs/job.store.js';
import { type AddAdminCommands, CommandError, parseUuidArgument, printResult } from './admin-context.js';
import { formatTableLines } from '../cli/base/terminal.js';

const NO_PLUGINS_REPORTED = 'No running hub has reported a plugin.';

/** Adds `admin plugins list | enable | disable | reload | dead | redrive`. */
export const addHostedPluginCommands: AddAdminCommands = (admin, { terminal, withDatabase }) => {
  const plugins = admin
    .command('plugins')
    .description('list, enable, disable and reload plugins, and send dead jobs again');

  plugins
    .command('list')
    .description('list the plugins of running hubs, with their state and its reason')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const rows = await withDatabase(({ work }) => readStatuses(work));
      const lines = formatTableLines(
        ['PLUGIN', 'VERSION', 'STATE', 'PROCESSES', 'REASON'],
        groupByStatus(rows).map(same => [
          same[0]!.id,
          same[0]!.version,
          same[0]!.state,
          String(same.length),
          same[0]!.reason ?? '',
        ]),
        NO_PLUGINS_REPORTED,
      );
      printResult(terminal, json, { plugins: rows.map(({ id, ...rest }) => ({ plugin: id, ...rest })) }, lines);
    });

  for (const enabled of [true, false]) {
    const [verb, past] = enabled ? ['enable', 'enabled'] : ['disable', 'disabled'];
    plugins
      .command(verb!)
      .description(`${verb} a plugin for the whole hub; running hubs follow within seconds`)
      .argument('<plugin>', 'ID of the plugin')
      .option('--json', 'print JSON')
      .action(async (id: string, { json }: { json?: true }) => {
        await withDatabase(database =>
          requireKnownPlugin(database, id).then(() => setEnabled(database.work, id, enabled)),
        );
        printResult(terminal, json, { plugin: id, enabled }, [`${id} is ${past}; running hubs follow within seconds.`]);
      });
  }

  plugins
    .command('reload')
    .description('reload a plugin, or discover new plugins and reload all of them')
    .argument('[plugin]', 'ID of the plugin (default: all)')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nOnly the entry file of a plugin is reloaded. Files that it imports change with the next restart of the hub.',
    )
    .action(async (id: string | undefined, { json }: { json?: true }) => {
      await withDatabase(async database => {
        if (id !== undefined) await requireKnownPlugin(database, id);
        await requestReload(database.work, id ?? ALL_PLUGINS);
      });
      printResult(terminal, json, { plugin: id ?? null, reload: true }, ['Running hubs follow within seconds.']);
    });

  plugins
    .command('dead')
    .description('list jobs and deliveries that failed for good, newest first, at most 1000')
    .argument('[plugin]', 'ID of the plugin (default: all)')
    .option('--json', 'print JSON')
    .action(async (id: string | undefined, { json }: { json?: true }) => {
      const dead = await withDatabase(({ work }) => new JobStore(work).listDead(id, 1_000));
      const rows = dead.map(({ id: job, workspaceId, failedAt, createdAt, ...rest }) => ({
        job_id: job,
        workspace_id: workspaceId,
        ...rest,
        created_at: toIso(createdAt),
        failed_at: toIso(failedAt),
      }));
      const cells = rows.map(row => [row.job_id, row.plugin, row.kind, row.name, row.failed_at, row.reason]);
      printResult(
        terminal,
        json,
        { dead: rows },
        formatTableLines(['JOB', 'PLUGIN', 'KIND', 'NAME', 'FAILED', 'REASON'], cells, 'None.'),
      );
    });

  plugins
    .command('redrive')
    .description('send dead jobs again with all their attempts: one, those of a plugin, or all')
    .option('--job <id>', 'only this job', parseUuidArgument)
    .option('--plugin <plugin>', 'only those of this plugin')
    .option('--json', 'print JSON')
    .action(async ({ job, plugin, json }: { job?: string; plugin?: string; json?: true }) => {
      const redriven = await withDatabase(({ work }) => new JobStore(work).redrive(plugin, job ? [job] : undefined));
      if (job && redriven === 0) throw new CommandError(`There is no dead job ${job}.`);
      printResult(terminal, json, { redriven }, [`Sent again: ${redriven}.`]);
    });
};

/** Groups processes that report the same state of a plugin. */
function groupByStatus(statuses: readonly PluginStatus[]): PluginStatus[][] {
  return [
    ...Map.groupBy(statuses, ({ id, version, state, reason }) => JSON.stringify([id, version, state, reason])).values(),
  ];
}

/** Rejects an unknown plugin ID, which would be stored without any effect. @throws CommandError */
async function requireKnownPlugin({ work }: Database, id: string): Promise<void> {
  const [statuses, desired] = [await readStatuses(work), await readDesiredState(work)];
  const ids = new Set([...statuses.map(status => status.id), ...desired.map(({ plugin }) => plugin)]);
  if (ids.size > 0 && !ids.has(id))
    throw new CommandError(`No running hub has a plugin "${id}". Known plugins: ${[...ids].join(', ')}.`);
}
