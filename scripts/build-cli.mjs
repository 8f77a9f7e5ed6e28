// Builds the package @rapport/cli.
//   node scripts/build-cli.mjs               src/cli/dist as it is published; npm pack and npm publish run it by themselves
//   node scripts/build-cli.mjs --into DIR    the whole package in a folder of its own
//   node scripts/build-cli.mjs --clean       removes src/cli/dist, after npm pack
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const home = `${root}src/cli/`;
const [mode, folder] = process.argv.slice(2);

if (mode === undefined) build(home);
else if (mode === '--into' && folder) buildInto(`${resolve(folder)}/`);
else if (mode === '--clean') rmSync(`${home}dist`, { recursive: true, force: true });
else {
  console.error('build-cli takes nothing, --into DIR or --clean.');
  process.exit(2);
}

function buildInto(to) {
  for (const part of ['package.json', 'README.md', 'LICENSE', 'bin'])
    cpSync(home + part, to + part, { recursive: true });
  build(to);
}

function build(to) {
  rmSync(`${to}dist`, { recursive: true, force: true });
  const tsc = `${root}node_modules/typescript/bin/tsc`;
  const args = [tsc, '-p', `${home}tsconfig.json`, '--outDir', `${to}dist`];
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}
