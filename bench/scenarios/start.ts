import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ManyPlugins, manyPlugins } from '../../test/support/plugins/many-plugins.ts';
import { type Finding, once } from '../report/finding.ts';
import { HubProcess, type HubSettings } from '../env/hub.ts';
import { residentMbOf } from '../env/process.ts';
import type { Bench, Measure } from './bench.ts';

const IDLE_MS = 10_000;
const LOOK_EVERY_MS = 250;

/**
 * Goal 20: from the process of `npm start` to ready, on nothing, on what is there and with twenty plugins, and the
 * memory of a hub at rest that has five.
 */
export const start: Measure = async bench => {
  const place = await placeOf(bench);
  const [five, twenty] = [manyPlugins(5), manyPlugins(20)];
  try {
    const first = await started(place);
    const second = await started(place);
    const many = await started(place, twenty);
    const resting = await HubProcess.start(withPlugins(place, five));
    const resident = await residentAtRest(resting.pid);
    const served = await readyPlugins(resting);
    await resting.stop();
    return [
      readiness('first start to ready, database included', first.readyMs),
      readiness('second start to ready', second.readyMs),
      readiness('start to ready with twenty plugins', many.readyMs, many.plugins === twenty.ids.length),
      ...(resident === undefined ? [] : [memory(resident, served === five.ids.length)]),
    ];
  } finally {
    five.end();
    twenty.end();
    await place.remove();
  }
};

/** Starts a hub, counts the plugins that serve in it, and ends it. */
async function started(place: Place, plugins?: ManyPlugins): Promise<{ readyMs: number; plugins: number }> {
  const hub = await HubProcess.start(plugins ? withPlugins(place, plugins) : place);
  const served = await readyPlugins(hub);
  await hub.stop();
  return { readyMs: hub.readyMs, plugins: served };
}

function withPlugins({ env }: Place, { dir }: ManyPlugins): HubSettings {
  return { env: { ...env, PLUGINS_DIR: dir } };
}

async function readyPlugins({ url }: HubProcess): Promise<number> {
  const { plugins = {} } = (await (await fetch(`${url}/readyz`)).json()) as { plugins?: Record<string, string> };
  return Object.values(plugins).filter(state => state === 'ready').length;
}

interface Place extends HubSettings {
  remove(): Promise<void>;
}

/** An embedded database of its own; with DATABASE_URL, an empty database there. */
async function placeOf({ databaseUrl, postgres }: Bench): Promise<Place> {
  if (databaseUrl) return { env: { DATABASE_URL: await postgres.createDatabase() }, remove: async () => undefined };
  const dataDir = await mkdtemp(join(tmpdir(), 'rapport-bench-start-'));
  return { env: { DATA_DIR: dataDir }, remove: () => rm(dataDir, { recursive: true, force: true }) };
}

/** The most that the process holds in the last second of ten idle ones. */
async function residentAtRest(pid: number): Promise<number | undefined> {
  const end = performance.now() + IDLE_MS;
  let resident: number | undefined;
  while (performance.now() < end) {
    await pause(LOOK_EVERY_MS);
    resident = residentMbOf(pid);
  }
  return resident;
}

function readiness(workload: string, readyMs: number, correct = true): Finding {
  const seconds = readyMs / 1000;
  return {
    goal: '20',
    workload,
    ours: `${seconds.toFixed(2)} s`,
    beside: '',
    figure: once(seconds),
    unit: ' s',
    wanted: 'less',
    floor: 3,
    aim: 1.5,
    correct,
    notes: [],
  };
}

function memory(resident: number, correct: boolean): Finding {
  return {
    goal: '20',
    workload: 'resident memory of the hub with five plugins after 10 idle seconds',
    ours: `${resident.toFixed(0)} MB`,
    beside: '',
    figure: once(resident),
    unit: ' MB',
    wanted: 'less',
    floor: 200,
    aim: 150,
    correct,
    notes: [],
  };
}
