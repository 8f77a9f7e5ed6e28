import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { backends } from '../support/backends.js';
import { clientsOf, sharedDatabase, type SharedDatabase, spawnHub } from '../support/spawned-hub.js';
import { until } from '../support/until.js';

const PLUGINS_DIR = fileURLToPath(new URL('crash', import.meta.url));
const JOBS = 4;

describe.each(backends)('hubs that die, with queues in %s', backend => {
  let shared: SharedDatabase;
  let home: string;
  let settings: Record<string, string>;

  beforeAll(async () => {
    shared = await sharedDatabase();
    home = await mkdtemp(join(tmpdir(), 'rapport-plugin-jobs-'));
    settings = { ...shared.settings, PLUGINS_DIR, ...(backend === 'postgres' && { REDIS_URL: '' }) };
  });
  afterAll(async () => {
    await shared?.drop();
    await rm(home, { recursive: true, force: true });
  });

  it('a job whose worker is killed runs again elsewhere, and its effect is there once', async () => {
    const [runs, gate, effects] = [join(home, 'runs'), join(home, 'gate'), join(home, 'effects')];
    await mkdir(effects);
    const worker = await spawnHub({ ...settings, ROLE: 'worker' });
    await worker.printed(/A worker of Rapport is ready at http\S+ \(health, readiness and metrics only\)/);
    const api = await spawnHub({ ...settings, ROLE: 'api' });
    const [client] = clientsOf([api], await shared.workspace());
    const all = Array.from({ length: JOBS }, () => ({ runs, gate, effects }));
    expect(await client!.post('/v2/plugins/slow/jobs/work', { all })).toMatchObject({ status: 202 });
    const runsOf = async () => (await readFile(runs, 'utf8').catch(() => '')).split('\n').filter(Boolean);
    await until('all are at hand', async () => (await runsOf()).length === JOBS);
    await worker.end('SIGKILL');
    await writeFile(gate, '');
    const next = await spawnHub({ ...settings, ROLE: 'worker' });
    await until('their effects are there', async () => (await readdir(effects)).length === JOBS);
    const left = async () => (await shared.database.pool.query('SELECT FROM plugin_jobs')).rows.length;
    await until('nothing is left to do', async () => (await left()) === 0);
    const ran = await runsOf();
    expect(new Set(ran).size).toBe(JOBS);
    expect(ran.length).toBe(2 * JOBS);
    await Promise.all([next.end('SIGTERM'), api.end('SIGTERM')]);
  });

  it('what a plugin throws outside of a handler is logged by its name, and the process goes on', async () => {
    const hub = await spawnHub(settings);
    const [client] = clientsOf([hub], await shared.workspace());
    await client!.post('/v2/plugins/slow/jobs/stray', {});
    await hub.printed(/"slow\\?" failed outside of a handler.*nobody waits for me/s);
    await hub.printed(/"slow\\?" failed outside of a handler.*nor for me/s);
    expect((await fetch(`${hub.url}/healthz`)).status).toBe(200);
    expect(await hub.end('SIGTERM')).toBe(0);
  });
});
