import { InvalidArgumentError } from 'commander';
import { type AddAdminCommands, CommandError, printResult } from '../admin-context.js';

const MAX_ID_LENGTH = 40;

const NO_REGISTRY_HINT =
  '    (if npm finds no @rapport/plugin-sdk: npm pack -w @rapport/plugin-sdk in Rapport, then plugin new --sdk <its file>)';

/** Adds `plugin new | check | link`, which need no database. */
export const addPluginCommands: AddAdminCommands = (program, { terminal }) => {
  const plugin = program.command('plugin').description('create, check and link plugins');

  plugin
    .command('new')
    .description('create a small, complete plugin with passing tests')
    .argument('<name>', 'ID, such as acme-dialer', parsePluginId)
    .option('--dir <dir>', 'folder to create (default: the name, in the plugins folder: PLUGINS_DIR, or plugins)')
    .option('--sdk <what>', 'version of @rapport/plugin-sdk, or the tarball of npm pack')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  rapport plugin new acme-dialer --dir ../acme-dialer')
    .action(async (id: string, options: { dir?: string; sdk?: string; json?: true }) => {
      const { scaffoldPlugin } = await import('./scaffold-plugin.js');
      const created = scaffoldPlugin(id, options);
      printResult(terminal, options.json, created, [
        `The plugin ${id} is in ${created.dir}, ${created.files.length} files. Next:`,
        `  cd ${created.dir}${created.in_tree ? '' : ' && npm install'} && npm test`,
        ...(created.in_tree || options.sdk ? [] : [NO_REGISTRY_HINT]),
        '  rapport plugin check     run the conformance checks',
        created.in_tree
          ? '  npm start                the hub finds it in its plugins folder'
          : '  rapport plugin link .    into the plugins folder of a hub (--to)',
      ]);
    });

  plugin
    .command('check')
    .description('run the conformance checks on a built plugin; exit code 1 if one fails')
    .argument('[dir]', 'folder of the plugin', '.')
    .option('--json', 'print JSON')
    .action(async (dir: string, options: { json?: true }) => {
      const { checkPlugin } = await import('./check-plugin.js');
      const { plugin: id, checks } = await checkPlugin(dir);
      const failed = checks.filter(({ ok }) => !ok);
      const lines = checks.flatMap(({ name, ok, problem = '' }) =>
        ok ? [`ok    ${name}`] : [`FAIL  ${name}`, ...problem.split('\n').map(line => `        ${line}`)],
      );
      printResult(terminal, options.json, { plugin: id, ok: failed.length === 0, checks }, lines);
      if (failed.length > 0) throw new CommandError(`${failed.length} of ${checks.length} checks failed.`);
    });

  plugin
    .command('link')
    .description('link a plugin into the plugins folder of a hub, to develop it in place')
    .argument('<dir>', 'folder of the plugin')
    .option('--to <dir>', 'the plugins folder (default: PLUGINS_DIR, or plugins)')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  rapport plugin link ../acme-dialer --to plugins')
    .action(async (dir: string, options: { to?: string; json?: true }) => {
      const { linkPlugin } = await import('./link-plugin.js');
      const linked = linkPlugin(dir, options.to);
      printResult(terminal, options.json, linked, [
        linked.already ? `${linked.link} is linked already.` : `${linked.link} links to ${linked.dir}.`,
        'A running hub discovers it at its next start, or after rapport admin plugins reload.',
      ]);
    });
};

/** Parses a plugin ID. @throws InvalidArgumentError */
function parsePluginId(text: string): string {
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(text) && text.length <= MAX_ID_LENGTH) return text;
  throw new InvalidArgumentError(`It must be kebab-case, such as acme-dialer, of at most ${MAX_ID_LENGTH} characters.`);
}
