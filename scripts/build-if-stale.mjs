// Builds dist/ when a source file is newer than the last build, so that `npm start` works right after `npm ci`.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = `${root}dist/.built`;
const sources = [...globSync('src/**/*', { cwd: root }), '.swcrc', 'nest-cli.json', 'package.json'];
const builtAt = existsSync(stamp) ? statSync(stamp).mtimeMs : 0;

if (sources.some(file => statSync(root + file).mtimeMs > builtAt)) {
  const { status } = spawnSync(process.execPath, [`${root}node_modules/@nestjs/cli/bin/nest.js`, 'build'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, '');
}
