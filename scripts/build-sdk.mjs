// Builds the package @rapport/plugin-sdk.
//   node scripts/build-sdk.mjs               src/sdk/dist as it is published; npm pack and npm publish run it by themselves
//   node scripts/build-sdk.mjs --into DIR    the whole package in a folder of its own
//   node scripts/build-sdk.mjs --types       declarations beside the entries of this repository, for plugins of this tree
//                                            that run tsc by themselves
//   node scripts/build-sdk.mjs --restore     the entries of this repository again, after npm pack
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkSdk, writeSchema } from './link-sdk.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [mode, folder] = process.argv.slice(2);

if (mode === undefined) await build(`${root}src/sdk/`);
else if (mode === '--types') compile(`${root}src/sdk/dist`, '--emitDeclarationOnly');
else if (mode === '--into' && folder) await buildInto(`${resolve(folder)}/`);
else if (mode === '--restore') await restore();
else {
  console.error('build-sdk takes nothing, --into DIR, --types or --restore.');
  process.exit(2);
}

async function build(to) {
  // First, because a build of the hub ends with writing its own entries where the package's are made. The schema is
  // read from that build: beside the new files there may be no packages to import.
  await import('./build-if-stale.mjs');
  rmSync(`${to}dist`, { recursive: true, force: true });
  compile(`${to}dist`);
  await writeSchema(`${root}dist/sdk/`, `${to}dist/`);
}

async function buildInto(to) {
  for (const file of ['package.json', 'README.md', 'LICENSE']) cpSync(`${root}src/sdk/${file}`, to + file);
  await build(to);
}

async function restore() {
  rmSync(`${root}src/sdk/dist`, { recursive: true, force: true });
  await import('./build-if-stale.mjs');
  await linkSdk();
}

function compile(outDir, ...options) {
  const tsc = `${root}node_modules/typescript/bin/tsc`;
  const args = [tsc, '-p', `${root}src/sdk/tsconfig.json`, '--outDir', outDir, ...options];
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}
