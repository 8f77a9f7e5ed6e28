// Builds when a source file is newer than the last build, so that `npm start` works right after `npm ci`.
import { existsSync, globSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { consoleSources } from './build-console.mjs';
import { pluginSources } from './build-plugins.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = `${root}dist/.built`;
const settings = ['.swcrc', 'nest-cli.json', 'package.json', 'scripts/build.mjs'];
const sources = [
  ...globSync('src/**/*', { cwd: root }).filter(isSource),
  ...pluginSources(),
  ...consoleSources(),
  ...settings,
];
const builtAt = existsSync(stamp) ? statSync(stamp).mtimeMs : 0;

if (sources.some(file => statSync(root + file).mtimeMs > builtAt)) await import('./build.mjs');

/** What is built of the packages lies in their folders. */
function isSource(file) {
  return !/^src[/\\](sdk|cli)[/\\]dist([/\\]|$)/.test(file);
}
