import { type CrashHarness, crashHarness } from '../support/process/crash-harness.js';
import type { Client } from '../support/hub.js';
import { until } from '../support/until.js';

const ROWS = 12_000;
/** Most that a step may take on a slow machine, in milliseconds. */
const STEP_MS = 120_000;
const IMPORTS = '/v2/plugins/csv-import/imports';

interface Run {
  readonly status: string;
  readonly progress: { readonly done: number; readonly total: number | null };
  readonly reported: number;
  readonly result: object | null;
}

let ground: CrashHarness;

beforeAll(async () => {
  ground = await crashHarness();
});
afterAll(() => ground?.clear());

/** A file in which every thousandth row has no address, and every tenth one a note. */
function buildFile(): string {
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const address = i % 1_000 === 999 ? '' : `p${i}@gmail.com`;
    const note = i % 10 === 0 ? `Met at the fair: ${i}.` : '';
    return `Ann Lee ${i},${address},Buyer ${i % 7},${note}`;
  });
  return `Name,Email,Title,Notes\n${rows.join('\n')}\n`;
}

async function upload(client: Client, url: string): Promise<string> {
  const headers = { authorization: `Bearer ${client.key}`, 'content-type': 'text/csv' };
  const response = await fetch(url + IMPORTS, { method: 'POST', headers, body: buildFile() });
  expect(response.status).toBe(201);
  return ((await response.json()) as { import: { id: string } }).import.id;
}

it('an import whose hub is killed at 30 % and at 90 % writes every row once, and reports each rejected row once', async () => {
  let hub = await ground.start('all');
  let client = ground.client(hub);
  const id = await upload(client, hub.url);
  const body = { target: 'leads', list: 'Fair' };
  const started = await client.post<{ run: { id: string } }>(`${IMPORTS}/${id}/start`, body);
  const path = `/v2/plugins/csv-import/runs/${started.body.run.id}`;
  const read = async () => (await client.get<Run>(path)).body;
  for (const share of [0.3, 0.9]) {
    await until(
      `${share * 100} % are done`,
      async () => {
        const { done, total } = (await read()).progress;
        return total !== null && done >= share * total;
      },
      STEP_MS,
    );
    expect((await read()).status).toBe('running');
    expect(await hub.end('SIGKILL')).toBeNull();
    hub = await ground.start('all');
    client = ground.client(hub);
  }
  await until('the run has ended', async () => (await read()).status !== 'running', STEP_MS);

  const valid = ROWS - ROWS / 1_000;
  const notes = ROWS / 10;
  const counts = { rows: ROWS, created: valid, matched: 0, rejected: ROWS - valid, notes, leads: valid };
  expect(await read()).toMatchObject({ status: 'finished', reported: ROWS - valid, result: counts });
  const [stored] = await ground.ask<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM entities WHERE type = 'person') AS people,
            (SELECT count(*)::int FROM leads) AS leads, (SELECT count(*)::int FROM notes) AS notes,
            (SELECT count(*)::int FROM observations WHERE property = 'title') AS titles`,
  );
  expect(stored).toEqual({ people: valid, leads: valid, notes, titles: valid });
  const report = await fetch(`${hub.url}${path}/report`, { headers: { authorization: `Bearer ${client.key}` } });
  const lines = (await report.text()).trim().split('\r\n').slice(1);
  expect(lines.map(line => Number(line.split(',')[0]))).toEqual(
    Array.from({ length: ROWS - valid }, (_, i) => (i + 1) * 1_000 + 1),
  );
  expect(await hub.end('SIGTERM')).toBe(0);
});
