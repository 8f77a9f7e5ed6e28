import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Finding, once } from '../report/finding.ts';
import { HubProcess, type HubSettings } from '../stage/hub.ts';
import { residentMbOf } from '../stage/process.ts';
import type { Bench, Measure } from './bench.ts';

const IDLE_MS = 10_000;
const LOOK_EVERY_MS = 250;

/** Goal 20: from `node dist/main.js` to ready, on nothing and on what is there, and the memory of a hub at rest. */
export const start: Measure = async bench => {
  const place = await placeOf(bench);
  try {
    const first = await HubProcess.start(place);
    await first.stop();
    const second = await HubProcess.start(place);
    const resident = await residentAtRest(second.pid);
    await second.stop();
    return [
      readiness('first start to ready, database included', first),
      readiness('second start to ready', second),
      ...(resident === undefined ? [] : [memory(resident)]),
    ];
  } finally {
    await place.remove();
  }
};

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

function readiness(workload: string, hub: HubProcess): Finding {
  const seconds = hub.readyMs / 1000;
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
    correct: true,
    notes: [],
  };
}

function memory(resident: number): Finding {
  return {
    goal: '20',
    workload: 'resident memory of the hub after 10 idle seconds',
    ours: `${resident.toFixed(0)} MB`,
    beside: '',
    figure: once(resident),
    unit: ' MB',
    wanted: 'less',
    floor: 200,
    aim: 150,
    correct: true,
    notes: [],
  };
}
