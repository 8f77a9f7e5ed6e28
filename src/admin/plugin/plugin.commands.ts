import { InvalidArgumentError } from 'commander';
import { type AddAdminCommands, CommandError } from '../admin-context.js';
import { printResult } from '../output.js';

const MAX_ID_LENGTH = 40;

const NO_REGISTRY_HINT =
  '    (if npm finds no @rapport/plugin-sdk: npm pack -w @rapport/plugin-sdk in Rapport, then plugin new --sdk <its file>)';

/** `plugin new | check | link`; none of them needs a database. */
export const addPluginCommands: AddAdminCommands = (program, { terminal }) => {
  const plugin = program.command('plugin').description('write, check and try plugins');

  plugin
    .command('new')
    .description('begin a plugin: a small complete one under your name, whose tests are green')
    .argument('<name>', 'its id, such as acme-dialer', parsePluginId)
    .option('--dir <dir>', 'folder to make; by default the name, in the plugins folder (PLUGINS_DIR, or plugins)')
    .option('--sdk <what>', 'where @rapport/plugin-sdk comes from, such as a version or the file of npm pack')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  rapport plugin new acme-dialer --dir ../acme-dialer')
    .action(async (id: string, options: { dir?: string; sdk?: string; json?: true }) => {
      const { scaffoldPlugin } = await import('./scaffold-plugin.js');
      const begun = scaffoldPlugin(id, options);
      printResult(terminal, options.json, begun, [
        `The plugin ${id} is in ${begun.dir}, ${begun.files.length} files. Next:`,
        `  cd ${begun.dir}${begun.in_tree ? '' : ' && npm install'} && npm test`,
        ...(begun.in_tree || options.sdk ? [] : [NO_REGISTRY_HINT]),
        '  rapport plugin check     what a published plugin must hold',
        begun.in_tree
          ? '  npm start                the hub finds it in its plugins folder'
          : '  rapport plugin link .    into the plugins folder of a hub (--to)',
      ]);
    });

  plugin
    .command('check')
    .description('run the conformance checks on a built plugin; exit code 1 when one fails')
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
    .description('put a plugin into the plugins folder of a hub by a link, to work on it in place')
    .argument('<dir>', 'folder of the plugin')
    .option('--to <dir>', 'the plugins folder; by default PLUGINS_DIR, or plugins')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  rapport plugin link ../acme-dialer --to plugins')
    .action(async (dir: string, options: { to?: string; json?: true }) => {
      const { linkPlugin } = await import('./link-plugin.js');
      const linked = linkPlugin(dir, options.to);
      printResult(terminal, options.json, linked, [
        linked.already ? `${linked.link} leads there already.` : `${linked.link} leads to ${linked.dir}.`,
        'A running hub sees it after its next start.',
      ]);
    });
};

/** @throws InvalidArgumentError */
function parsePluginId(text: string): string {
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(text) && text.length <= MAX_ID_LENGTH) return text;
  throw new InvalidArgumentError(`It must be kebab-case, such as acme-dialer, of at most ${MAX_ID_LENGTH} characters.`);
}
