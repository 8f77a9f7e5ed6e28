// Builds dist/ when a source file is newer than the last build, so that `npm start` works right after `npm ci`. Files are
// written over those of the last build, never deleted first: another process may be running from them.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildPlugins, pluginSources } from './build-plugins.mjs';
import { linkSdk } from './link-sdk.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = `${root}dist/.built`;
const settings = ['.swcrc', 'nest-cli.json', 'package.json', 'scripts/build-if-stale.mjs'];
const sources = [...globSync('src/**/*', { cwd: root }).filter(isSource), ...pluginSources(), ...settings];
const builtAt = existsSync(stamp) ? statSync(stamp).mtimeMs : 0;

if (sources.some(file => statSync(root + file).mtimeMs > builtAt)) {
  build();
  removeOrphans();
  await linkSdk();
  await buildPlugins();
  writeFileSync(stamp, '');
}

/** What is built of the packages lies in their folders. */
function isSource(file) {
  return !/^src[/\\](sdk|cli)[/\\]dist([/\\]|$)/.test(file);
}

function build() {
  const nest = `${root}node_modules/@nestjs/cli/bin/nest.js`;
  const { status } = spawnSync(process.execPath, [nest, 'build'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** What an earlier build left of files that have gone would still be found by imports. */
function removeOrphans() {
  for (const file of globSync('dist/**/*.js', { cwd: root })) {
    const source = file.replace(/^dist/, 'src').replace(/\.js$/, '.ts');
    if (!existsSync(root + source)) for (const kind of ['', '.map']) rmSync(root + file + kind, { force: true });
  }
}
