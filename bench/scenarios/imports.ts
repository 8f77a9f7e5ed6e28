import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CopyJob } from '../load/copy-load.ts';
import type { HttpJob } from '../load/http-load.ts';
import type { Sample } from '../load/sample.ts';
import { median, ratiosOf } from '../measure.ts';
import { type Finding, grouped, latencyOf } from '../report/finding.ts';
import { Helper } from '../env/helper.ts';
import { createWorkspace, HubProcess, type Workspace } from '../env/hub.ts';
import { drained } from '../env/inside.ts';
import { ask } from '../env/postgres.ts';
import { until } from '../env/process.ts';
import type { Measure } from './bench.ts';

const ROWS = 10_000;
const HEADER = 'Name,Email,Title,Company,City';
const IMPORTS = '/v2/plugins/csv-import/imports';
const RUN_LIMIT_MS = 600_000;
const TENANT_CONNECTIONS = 2;
const FOCUS = 'tenant@example.com';
const MAX_FACTOR = 3;
const MAX_STALE_FACTOR = 1.5;
const LIST = '/v2/people?limit=50';

interface Run {
  readonly status: string;
  readonly result: { readonly created: number; readonly rejected: number } | null;
}

/**
 * Goal 14: a file of new people is imported into an empty workspace, beside the same file parsed and copied into a table
 * of texts. Also what another workspace notices of it, and how fast a list is right after it.
 */
export const imports: Measure = async ({ effort, postgres, profile }) => {
  const databaseUrl = await postgres.createDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), 'rapport-bench-'));
  const file = path.join(folder, 'people.csv');
  await writeFile(file, buildFile());
  const hub = await HubProcess.start({ env: { DATABASE_URL: databaseUrl, DATA_DIR: folder }, profile });
  const copy = Helper.start<CopyJob, number>('load/copy-load.ts');
  const reader = Helper.start<HttpJob, Sample>('load/http-load.ts');
  try {
    const tenant = await createWorkspace(databaseUrl);
    await call(hub.url, tenant, 'POST', '/v2/people', { email: FOCUS, name: 'Ten Ant' });
    const get = (place: string, key: string, seconds: number) =>
      reader.ask({
        url: hub.url,
        key,
        connections: TENANT_CONNECTIONS,
        extent: { seconds },
        workload: { name: 'get', path: place },
      });
    const read = (seconds: number) => get(`/v2/accounts/${FOCUS}`, tenant.key, seconds);
    const [ours, bare]: [number[], number[]] = [[], []];
    const [alone, beside, fresh, analyzed]: [Sample[], Sample[], Sample[], Sample[]] = [[], [], [], []];
    let correct = true;
    for (let n = -1; n < effort.rounds; n++) {
      const copyMs = await copy.ask({ url: databaseUrl, file, columns: HEADER.split(',').length });
      const importer = await createWorkspace(databaseUrl);
      const quiet = await runImport(hub.url, importer);
      const first = await get(LIST, importer.key, 1);
      await drained(databaseUrl);
      await ask(databaseUrl, 'ANALYZE');
      const later = await get(LIST, importer.key, 1);
      const before = await read(effort.seconds);
      const burdened = runImport(hub.url, await createWorkspace(databaseUrl));
      const during = await read(effort.seconds);
      correct &&=
        quiet.isComplete &&
        (await burdened).isComplete &&
        before.failed + during.failed + first.failed + later.failed === 0;
      await drained(databaseUrl);
      if (n < 0) continue;
      bare.push(toRate(copyMs));
      ours.push(toRate(quiet.ms));
      alone.push(before);
      beside.push(during);
      fresh.push(first);
      analyzed.push(later);
    }
    const common = { goal: '14', unit: '', correct } as const;
    const findings: Finding[] = [
      {
        ...common,
        workload: `import of ${grouped(ROWS)} new people with four facts each`,
        ours: `${grouped(median(ours))} rows/s`,
        beside: `${grouped(median(bare))} rows/s csv-parse and COPY into a table of texts`,
        figure: ratiosOf(ours, bare),
        wanted: 'more',
        floor: 0.1,
        aim: 0.3,
        notes: [],
      },
      {
        ...common,
        workload: 'p95 of an account read of another workspace beside it',
        ours: describe('beside', beside),
        beside: describe('alone', alone),
        figure: ratiosOf(
          beside.map(({ p95 }) => p95),
          alone.map(({ p95 }) => p95),
        ),
        wanted: 'less',
        floor: MAX_FACTOR,
        notes: [],
      },
      {
        ...common,
        workload: 'p50 of a page of 50 people in the first second after it',
        ours: describe('first', fresh),
        beside: describe('after ANALYZE', analyzed),
        figure: ratiosOf(
          fresh.map(({ p50 }) => p50),
          analyzed.map(({ p50 }) => p50),
        ),
        wanted: 'less',
        floor: MAX_STALE_FACTOR,
        notes: [],
      },
    ];
    return findings;
  } finally {
    await Promise.all([copy.end(), reader.end(), hub.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
};

function buildFile(): string {
  const rows = Array.from(
    { length: ROWS },
    (_, i) => `Ann Lee ${i},p${i}@firm${i % 500}.example,Head of Sales ${i % 50},Firm ${i % 500},Berlin`,
  );
  return `${HEADER}\n${rows.join('\n')}\n`;
}

/** Imports the file into a workspace. Only the run is timed, not the upload and its preview. */
async function runImport(url: string, workspace: Workspace): Promise<{ ms: number; isComplete: boolean }> {
  const response = await fetch(url + IMPORTS, {
    method: 'POST',
    headers: { authorization: `Bearer ${workspace.key}`, 'content-type': 'text/csv' },
    body: buildFile(),
  });
  const { import: uploaded } = (await response.json()) as { import: { id: string } };
  const began = performance.now();
  const { run } = await call<{ run: { id: string } }>(url, workspace, 'POST', `${IMPORTS}/${uploaded.id}/start`, {});
  let last: Run | undefined;
  const ended = async () => {
    last = await call<Run>(url, workspace, 'GET', `/v2/plugins/csv-import/runs/${run.id}`);
    return last.status === 'finished' || last.status === 'failed';
  };
  await until('the import has ended', ended, RUN_LIMIT_MS, 50);
  return { ms: performance.now() - began, isComplete: last?.result?.created === ROWS && last.result.rejected === 0 };
}

async function call<Body>(
  url: string,
  { key }: Workspace,
  method: string,
  place: string,
  body?: object,
): Promise<Body> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(url + place, init);
  if (!response.ok) throw new Error(`${method} ${place}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Body;
}

function toRate(ms: number): number {
  return ROWS / (ms / 1_000);
}

function describe(name: string, samples: readonly Sample[]): string {
  return latencyOf(
    name,
    samples.map(sample => ({ ...sample, cpuMs: undefined, settledMs: 0 })),
  );
}
