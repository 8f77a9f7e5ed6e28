// Builds dist/ and the plugins of this repository. Files are written over those of the last build, never deleted first:
// another process may be running from them.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildConsole } from './build-console.mjs';
import { buildPlugins } from './build-plugins.mjs';
import { linkSdk } from './link-sdk.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

build();
removeOrphans();
await linkSdk();
await buildPlugins();
await buildConsole();
writeFileSync(`${root}dist/.built`, '');

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
