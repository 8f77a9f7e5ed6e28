#!/usr/bin/env node
// Starts the compiled program under a Node that can run it. Plain old syntax: this file has to load on any Node.
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const program = new URL('dist/admin/main.js', root);
const builder = fileURLToPath(new URL('scripts/build-if-stale.mjs', root));
const pinnedNode = fileURLToPath(new URL('node_modules/node/bin/node', root));

if (!isNewEnough(process.version)) relaunch();
else await start();

function isNewEnough(version) {
  const [major, minor] = version.slice(1).split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 19);
}

/** The project brings its own Node, for machines that have an older one. */
function relaunch() {
  const here = existsSync(pinnedNode) && realpathSync(pinnedNode) !== realpathSync(process.execPath);
  if (!here)
    return fail(
      `Rapport needs Node 22.19 or newer and this is ${process.version}: run npm ci in ${fileURLToPath(root)}`,
    );
  finishLike(spawnSync(pinnedNode, process.argv.slice(1), { stdio: 'inherit' }));
}

async function start() {
  if (existsSync(builder)) {
    // What the build prints must not mix with the answer of the command.
    const build = spawnSync(process.execPath, [builder], { cwd: fileURLToPath(root), stdio: ['ignore', 2, 2] });
    if (build.status !== 0) return finishLike(build);
  }
  if (!existsSync(program)) return fail(`Rapport is not built: run npm run build in ${fileURLToPath(root)}`);
  await import(program.href);
}

function finishLike(child) {
  if (child.error) return fail(child.error.message);
  process.exitCode = child.status ?? 128 + (constants.signals[child.signal] ?? 0);
}

function fail(sentence) {
  console.error(sentence);
  process.exitCode = 1;
}
