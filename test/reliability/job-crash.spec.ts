import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { backends } from '../support/database/backends.js';
import type { Client } from '../support/hub.js';
import {
  clientsOf,
  sharedDatabase,
  type SharedDatabase,
  type SpawnedHub,
  spawnHub,
} from '../support/process/spawned-hub.js';
import { until } from '../support/until.js';

const PLUGINS_DIR = fileURLToPath(new URL('../fixtures/plugins/crash', import.meta.url));
const JOBS = 4;

describe.each(backends)('hubs that die, with queues in %s', backend => {
  let shared: SharedDatabase;
  let home: string;
  let startWorker: () => Promise<SpawnedHub>;
  let api: SpawnedHub;
  let worker: SpawnedHub;
  let client: Client;

  beforeAll(async () => {
    shared = await sharedDatabase();
    home = await mkdtemp(join(tmpdir(), 'rapport-plugin-jobs-'));
    const settings = { ...shared.settings, PLUGINS_DIR, ...(backend === 'postgres' && { REDIS_URL: '' }) };
    startWorker = () => spawnHub({ ...settings, ROLE: 'worker' });
    [worker, api] = await Promise.all([startWorker(), spawnHub({ ...settings, ROLE: 'api' })]);
    [client] = clientsOf([api], await shared.workspace()) as [Client];
  });
  afterAll(async () => {
    await shared?.drop();
    await rm(home, { recursive: true, force: true });
  });

  it('a job whose worker is killed runs again elsewhere, and its effect is there once', async () => {
    const [runs, gate, effects] = [join(home, 'runs'), join(home, 'gate'), join(home, 'effects')];
    await mkdir(effects);
    await worker.printed(/A worker of Rapport is ready at http\S+ \(health, readiness and metrics only\)/);
    const all = Array.from({ length: JOBS }, () => ({ runs, gate, effects }));
    expect(await client.post('/v2/plugins/slow/jobs/work', { all })).toMatchObject({ status: 202 });
    const runsOf = async () => (await readFile(runs, 'utf8').catch(() => '')).split('\n').filter(Boolean);
    await until('all are at hand', async () => (await runsOf()).length === JOBS);
    await worker.end('SIGKILL');
    await writeFile(gate, '');
    worker = await startWorker();
    await until('their effects are there', async () => (await readdir(effects)).length === JOBS);
    const left = async () => (await shared.database.pool.query('SELECT FROM plugin_jobs')).rows.length;
    await until('nothing is left to do', async () => (await left()) === 0);
    const ran = await runsOf();
    expect(new Set(ran).size).toBe(JOBS);
    expect(ran.length).toBe(2 * JOBS);
  });

  it('what a plugin throws outside of a handler is logged by its name, and the process goes on', async () => {
    await client.post('/v2/plugins/slow/jobs/stray', {});
    await worker.printed(/"slow\\?" failed outside of a handler.*nobody waits for me/s);
    await worker.printed(/"slow\\?" failed outside of a handler.*nor for me/s);
    expect((await fetch(`${worker.url}/healthz`)).status).toBe(200);
    expect(await Promise.all([worker.end('SIGTERM'), api.end('SIGTERM')])).toEqual([0, 0]);
  });
});
