// npm run dev: a hub that is compiled and started again whenever a source file is saved, with a log for people, and the
// console beside it, which is drawn again in the browser whenever one of its files is saved.
//
//   npm run dev                       the embedded database in DATA_DIR stays up between restarts
//   npm run dev -- --inspect          further arguments go to Node: a debugger attaches to the hub
//   npm run dev -- --inspect-brk      and the hub waits for it
//
// Settings are those of `npm start`. Types are not checked here: run `npx tsc --noEmit --watch` beside it.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pretty from 'pino-pretty';
import { createServer } from 'vite';
import './build-if-stale.mjs';
import { buildPlugins } from './build-plugins.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Editors write a file in several steps. */
const SETTLE_MS = 50;
const STOP_TIMEOUT_MS = 500;

const { readEnv } = await import('../dist/kernel/config/env.js');
const { openDatabaseServer } = await import('../dist/kernel/db/database-server.js');

const settings = readSettings();
const isFirstStart = !settings.databaseUrl && !existsSync(join(settings.dataDir, 'postgres'));
const server = await openDatabaseServer(settings, { info: console.log, error: console.error }).catch(fail);
const environment = { ...process.env, DATABASE_URL: server.url };
if (!settings.databaseUrl && !settings.secretKeys) environment.SECRET_KEYS = readOrMakeSecretKeys();
if (isFirstStart) createWorkspace();

const compiler = spawn(process.execPath, [`${root}node_modules/@nestjs/cli/bin/nest.js`, 'build', '--watch'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
});
// The compiler writes every file when it starts. A hub that was started before would be started again at once.
await waitForCompiler(compiler);
const log = pretty({ translateTime: 'SYS:HH:MM:ss.l', singleLine: true });
let isEnding = false;
let settling;
let hub = startHub();
let restarted = Promise.resolve();
const webServer = await serveConsole();
watchCompiled();
watchPlugins();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(0));
compiler.on('exit', code => end(code ?? 1));

function startHub() {
  const flags = ['--enable-source-maps', ...process.argv.slice(2)];
  const child = spawn(process.execPath, [...flags, 'dist/main.js'], {
    cwd: root,
    env: environment,
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  child.stdout.pipe(log, { end: false });
  child.on('exit', code => {
    if (!child.killed && !isEnding) console.log(`The hub has ended (${code}). It starts again when a file is saved.`);
  });
  return child;
}

/** Serves the console from its sources, and passes its requests on to the hub. */
async function serveConsole() {
  process.env.RAPPORT_HUB = settings.publicUrl;
  const web = await createServer({ root: `${root}console`, clearScreen: false, logLevel: 'warn' });
  await web.listen();
  console.log(`The console is at ${web.resolvedUrls.local[0]} while you change it; the hub serves the last build.`);
  return web;
}

/** Starts the hub again once no more files are being written. */
function restartHub() {
  clearTimeout(settling);
  settling = setTimeout(() => {
    restarted = restarted.then(replaceHub);
  }, SETTLE_MS);
}

async function replaceHub() {
  await stop(hub);
  if (!isEnding) hub = startHub();
}

/** Ends the hub and the compiler, then the database, then this process. */
async function end(code) {
  if (isEnding) return;
  isEnding = true;
  await restarted;
  await Promise.all([webServer.close(), ...[hub, compiler].map(stop)]);
  await server.stop();
  process.exit(code);
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  // As Ctrl-C does: there is no load balancer to wait for.
  child.kill('SIGINT');
  // The hub waits for requests in flight, and a paused debugger for its user. A restart waits for neither.
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exit;
  clearTimeout(force);
}

function readSettings() {
  try {
    return readEnv(process.env);
  } catch (error) {
    return fail(error);
  }
}

function fail(error) {
  console.error(error.message);
  process.exit(1);
}

/**
 * The hub is given DATABASE_URL here, with which it takes its keys from SECRET_KEYS alone. These are the ones that
 * `npm start` keeps beside the same database.
 */
function readOrMakeSecretKeys() {
  const file = join(settings.dataDir, 'secret.keys');
  if (!existsSync(file)) {
    mkdirSync(settings.dataDir, { recursive: true });
    writeFileSync(file, `k1:${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  }
  return readFileSync(file, 'utf8').trim();
}

/** Makes a workspace in a new database and prints its key, as the first `npm start` does. */
function createWorkspace() {
  const words = ['admin', 'workspace', 'create', '--name', 'My workspace', '--plan', 'scale'];
  spawnSync(process.execPath, [`${root}bin/rapport.mjs`, ...words], { cwd: root, env: environment, stdio: 'inherit' });
}

/** Resolves when the compiler has written every file and watches the sources. */
function waitForCompiler(child) {
  return new Promise(resolve => {
    child.on('exit', resolve);
    createInterface({ input: child.stdout }).on('line', line => {
      if (line.includes('Watching for file changes')) resolve();
    });
  });
}

/** Starts the hub again when the compiler has written a file. */
function watchCompiled() {
  watch(`${root}dist`, { recursive: true }, (_, file) => {
    if (file?.endsWith('.js')) restartHub();
  });
}

/** Compiles the plugins of this repository when one of their sources is saved, and starts the hub again. */
function watchPlugins() {
  let timer;
  watch(`${root}plugins`, { recursive: true }, (_, file) => {
    if (!/^[^/\\]+[/\\]src[/\\].*\.ts$/.test(file ?? '')) return;
    clearTimeout(timer);
    timer = setTimeout(() => buildPlugins().then(restartHub, error => console.error(error.message)), SETTLE_MS);
  });
}
