import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HubTrouble } from './client.mjs';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const READY = /Rapport is ready at (http\S+)/;
/** The output is no terminal, so the hub writes the key to this file in its data folder. */
const KEY_FILE = 'first-key';
const PATIENCE_MS = 60_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Settings of the caller's own hub that must not reach this one. */
const NEUTRAL = { DATABASE_URL: '', REDIS_URL: '', PUBLIC_URL: '', RATE_LIMITS: '', ROLE: 'all' };

/**
 * Starts a hub on a free port, with an embedded database in a temporary folder.
 * @returns {Promise<import('./client.mjs').Access & { stop(): Promise<void> }>} `stop` ends it and removes the folder
 */
export async function startOwnHub() {
  await import('../scripts/build-if-stale.mjs');
  const dataDir = await mkdtemp(join(tmpdir(), 'rapport-demo-'));
  const hub = spawn(process.execPath, [MAIN], {
    env: { ...process.env, ...NEUTRAL, PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C at the terminal is for the demo, which ends the hub by itself.
    detached: true,
  });
  const stop = cleanUp(hub, dataDir);
  try {
    const { baseUrl, apiKey } = await welcomeOf(hub, dataDir);
    return { baseUrl, apiKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What ends the hub and removes its folder, also when the demo is told to end first. */
function cleanUp(hub, dataDir) {
  const ended = once(hub, 'exit');
  let stopping;
  const stop = () => (stopping ??= end());
  const leave = () => void stop().finally(() => process.exit(130));
  const abandon = () => void hub.kill('SIGINT');
  const end = async () => {
    if (hub.exitCode === null) hub.kill('SIGINT');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
    process.off('exit', abandon);
    for (const signal of SIGNALS) process.off(signal, leave);
  };
  process.once('exit', abandon);
  for (const signal of SIGNALS) process.on(signal, leave);
  return stop;
}

/** Waits for what the first start of a hub gives: its address, and the key of its workspace in a file. */
function welcomeOf(hub, dataDir) {
  let said = '';
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new HubTrouble(`The hub did not start within 60 s:\n${said}`)), PATIENCE_MS);
    const listen = chunk => {
      said += chunk;
      const [, baseUrl] = READY.exec(said) ?? [];
      if (!baseUrl) return;
      clearTimeout(late);
      resolve(readFile(join(dataDir, KEY_FILE), 'utf8').then(text => ({ baseUrl, apiKey: text.trim() })));
    };
    hub.stdout.setEncoding('utf8').on('data', listen);
    hub.stderr.setEncoding('utf8').on('data', listen);
    hub.once('exit', () => {
      clearTimeout(late);
      reject(new HubTrouble(`The hub ended instead of starting:\n${said}`));
    });
  });
}
