import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Run, RunList } from '#plugin-host/runs/runs.dto.js';
import { RunSweeper } from '#plugin-host/runs/run.sweeper.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { until } from '../../support/until.js';

const PLUGINS_DIR = fileURLToPath(new URL('../../fixtures/plugins/long', import.meta.url));
const RUNS = '/v2/plugins/steps/runs';

let home: string;
let hub: TestHub;
let client: Client;
let files = 0;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'rapport-runs-'));
  hub = await startTestHub({ PLUGINS_DIR, DATA_DIR: home });
  client = await hub.workspace();
});
afterAll(async () => {
  await hub?.end();
  await rm(home, { recursive: true, force: true });
});

const newPath = () => join(home, `file-${files++}`);
const start = async (input: object, { by = client, name = 'count', options = {} } = {}): Promise<string> => {
  const { status, body } = await by.post<{ id: string }>(`/v2/plugins/steps/start/${name}`, { input, options });
  expect(status).toBe(202);
  return body.id;
};
const read = async (id: string, by = client) => (await by.get<Run>(`${RUNS}/${id}`)).body;
const untilStatus = async (id: string, status: string, by = client): Promise<Run> => {
  await until(`the run is ${status}`, async () => (await read(id, by)).status === status);
  return read(id, by);
};
const control = (id: string, action: string) => client.post<Run & { error: string }>(`${RUNS}/${id}/${action}`, {});
const seenOf = async (id: string) => (await client.get<unknown[]>(`/v2/plugins/steps/seen/${id}`)).body;
const countRows = async (sql: string, by = client) =>
  (await hub.database.pool.query(`${sql} AND workspace_id = '${by.workspaceId}'`)).rows.length;

describe('a run', () => {
  it('executes its steps with the state of the one before, and shows progress, result and reported rows', async () => {
    const id = await start({ steps: 3 });
    const run = await untilStatus(id, 'finished');
    expect(run).toMatchObject({
      plugin: 'steps',
      name: 'count',
      title: 'Count steps',
      step: 3,
      progress: { done: 3, total: 3, message: 'Step 3' },
      reported: 3,
      result: { steps: 3, state: { last: 2, before: { last: 1, before: null } } },
      error: null,
      connection_id: null,
      finished_at: expect.any(String),
    });
    const report = await fetch(`${hub.url}${RUNS}/${id}/report`, {
      headers: { authorization: `Bearer ${client.key}` },
    });
    expect(report.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await report.text()).toBe(
      `at,field,error\r\n${[1, 2, 3].map(n => `${n},email,It has no @.,'=1+1,"a,""b"""\r\n`).join('')}`,
    );
    expect((await client.get(`/v2/plugins/steps/own/${id}`)).body).toMatchObject({
      id,
      status: 'finished',
      reported: 3,
    });
    await until('its end was delivered', async () => JSON.stringify(await seenOf(id)).includes('run.finished'));
    expect(await seenOf(id)).toContainEqual({
      type: 'run.finished',
      run_id: id,
      plugin: 'steps',
      run: 'count',
      title: 'Count steps',
      sync: true,
      connection_id: null,
      done: 3,
      reported: 3,
    });
  });

  it('that fails is retried with the same state: nothing is doubled, and nothing of a failed attempt is left', async () => {
    const other = await hub.workspace();
    const broken = newPath();
    await writeFile(broken, '');
    const { body } = await other.post<{ id: string }>('/v2/plugins/steps/start/count', {
      input: { steps: 2, failAt: 2, broken },
    });
    const failed = await untilStatus(body.id, 'failed', other);
    expect(failed).toMatchObject({ step: 2, error: 'the provider is broken', reported: 1, progress: { done: 1 } });
    const seen = async () => (await other.get<unknown[]>(`/v2/plugins/steps/seen/${body.id}`)).body;
    await until('its failure was delivered', async () => JSON.stringify(await seen()).includes('run.failed'));
    expect(await seen()).toContainEqual(
      expect.objectContaining({ type: 'run.failed', error: 'the provider is broken', sync: true }),
    );
    await until('no job is left', async () => (await countRows('SELECT FROM plugin_jobs WHERE true', other)) === 0);
    expect(await seen()).not.toContain('job 2');
    expect(await seen()).not.toContain('event 2');
    await rm(broken);
    expect(await other.post(`${RUNS}/${body.id}/retry`, {})).toMatchObject({ status: 200, body: { status: 'queued' } });
    const finished = await untilStatus(body.id, 'finished', other);
    expect(finished).toMatchObject({ reported: 2, error: null });
    const calls = "SELECT FROM observations WHERE property = 'interaction.call_held'";
    expect(await countRows(calls, other)).toBe(2);
    await until('all was delivered', async () => (await seen()).length === 6);
    expect((await seen()).filter(each => typeof each === 'string').toSorted()).toEqual([
      'event 1',
      'event 2',
      'job 1',
      'job 2',
    ]);
  });

  it('is paused after its step, and resumed with the next one', async () => {
    const gate = newPath();
    const id = await start({ steps: 3, gateAt: 2, gate });
    await until('it shows progress of its second step', async () => (await read(id)).progress.done === 2);
    expect(await control(id, 'pause')).toMatchObject({ status: 200, body: { status: 'paused' } });
    expect(await control(id, 'pause')).toMatchObject({ status: 200, body: { status: 'paused' } });
    await writeFile(gate, '');
    await until('its step has ended', async () => (await read(id)).step === 3);
    await until('nothing is left to do', async () => (await countRows('SELECT FROM plugin_jobs WHERE true')) === 0);
    expect(await read(id)).toMatchObject({ status: 'paused', step: 3, progress: { done: 2 } });
    expect(await control(id, 'retry')).toMatchObject({
      status: 409,
      body: { error: 'run_conflict', status: 'paused' },
    });
    expect(await control(id, 'resume')).toMatchObject({ status: 200, body: { status: 'queued' } });
    expect(await untilStatus(id, 'finished')).toMatchObject({ reported: 3 });
    expect(await control(id, 'pause')).toMatchObject({
      status: 409,
      body: { error: 'run_conflict', status: 'finished' },
    });
  });

  it('is cancelled in the middle of its step, and continued by a retry', async () => {
    const gate = newPath();
    const id = await start({ steps: 2, gateAt: 1, gate });
    await untilStatus(id, 'running');
    expect(await control(id, 'cancel')).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    await until('its job has ended', async () => (await countRows('SELECT FROM plugin_jobs WHERE true')) === 0);
    expect(await read(id)).toMatchObject({ status: 'cancelled', step: 1, reported: 0 });
    await writeFile(gate, '');
    await control(id, 'retry');
    expect(await untilStatus(id, 'finished')).toMatchObject({ step: 2, reported: 2 });
  });

  it('fails when its step takes too long', async () => {
    const id = await start({}, { name: 'hasty' });
    expect(await untilStatus(id, 'failed')).toMatchObject({ error: expect.stringContaining('1000 ms') });
  });

  it('is started once while one with its key is unfinished', async () => {
    const gate = newPath();
    const input = { steps: 1, gateAt: 1, gate };
    const ids = await Promise.all(Array.from({ length: 4 }, () => start(input, { options: { key: 'k' } })));
    expect(new Set(ids).size).toBe(1);
    await writeFile(gate, '');
    await untilStatus(ids[0]!, 'finished');
    const again = await start(input, { options: { key: 'k' } });
    expect(again).not.toBe(ids[0]);
    await untilStatus(again, 'finished');
  });

  it('does not hold up the runs of other workspaces', async () => {
    const [busy, quick] = [await hub.workspace(), await hub.workspace()];
    const long = await Promise.all(Array.from({ length: 6 }, () => start({ steps: 60 }, { by: busy })));
    const short = await start({ steps: 3 }, { by: quick });
    await untilStatus(short, 'finished', quick);
    const statuses = await Promise.all(long.map(async id => (await read(id, busy)).status));
    expect(statuses.every(status => status !== 'finished')).toBe(true);
    await Promise.all(long.map(id => busy.post(`${RUNS}/${id}/cancel`, {})));
  });

  it('is deleted with its reported rows 30 days after its end', async () => {
    const other = await hub.workspace();
    const [old, current] = [await start({ steps: 1 }, { by: other }), await start({ steps: 1 }, { by: other })];
    await untilStatus(old, 'finished', other);
    await untilStatus(current, 'finished', other);
    await hub.database.pool.query(`UPDATE plugin_runs SET finished_at = now() - interval '31 days' WHERE id = $1`, [
      old,
    ]);
    expect(await hub.app.get(RunSweeper, { strict: false }).sweep()).toBe(1);
    const left = await hub.database.pool.query<{ run_id: string }>(
      'SELECT DISTINCT run_id FROM plugin_run_reports WHERE workspace_id = $1',
      [other.workspaceId],
    );
    expect(left.rows).toEqual([{ run_id: current }]);
    expect((await other.get(`${RUNS}/${old}`)).status).toBe(404);
  });
});

describe('GET /v2/plugins/:plugin/runs', () => {
  it('lists runs newest first, page by page and by status', async () => {
    const other = await hub.workspace();
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push(await start({ steps: 1 }, { by: other }));
    await Promise.all(ids.map(id => untilStatus(id, 'finished', other)));
    const first = (await other.get<RunList>(`${RUNS}?limit=2`)).body;
    expect(first).toMatchObject({ limit: 2, has_more: true });
    const second = (await other.get<RunList>(`${RUNS}?limit=2&cursor=${first.next_cursor}`)).body;
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
    expect([...first.runs, ...second.runs].map(({ id }) => id)).toEqual(ids.toReversed());
    expect((await other.get<RunList>(`${RUNS}?status=failed`)).body.runs).toEqual([]);
    expect((await other.get<RunList>(`${RUNS}?status=finished&name=count`)).body.runs).toHaveLength(3);
    expect((await other.get<RunList>(`${RUNS}?name=hasty`)).body.runs).toEqual([]);
    const integration = await other.get<{ runs: Run[] }>('/v2/workspace/integrations/steps');
    expect(integration.body.runs.map(({ id }) => id)).toEqual(ids.toReversed());
  });

  it.each([
    ['an unknown status', `${RUNS}?status=done`, 400, 'invalid_request'],
    ['a cursor that is none', `${RUNS}?cursor=x`, 400, 'invalid_request'],
    ['an unknown plugin', '/v2/plugins/nothing/runs', 409, 'plugin_not_installed'],
    ['an unknown run', `${RUNS}/01a20ee7-d876-7000-b422-3f0efe2e0006`, 404, 'run_not_found'],
    ['an ID that is none', `${RUNS}/x`, 404, 'run_not_found'],
    ['a run of another plugin', '/v2/plugins/shelf/runs/01a20ee7-d876-7000-b422-3f0efe2e0006', 404, 'run_not_found'],
  ])('refuses %s', async (_, path, status, error) => {
    expect(await client.get<object>(path)).toMatchObject({ status, body: { error } });
  });

  it('hides the runs of other workspaces, and needs the scope write to control one', async () => {
    const other = await hub.workspace();
    const id = await start({ steps: 1 }, { by: other });
    await untilStatus(id, 'finished', other);
    for (const rest of ['', '/events', '/report']) expect((await client.get(`${RUNS}/${id}${rest}`)).status).toBe(404);
    for (const action of ['pause', 'resume', 'cancel', 'retry']) {
      expect((await control(id, action)).status).toBe(404);
    }
    const made = await other.post<{ key: string }>('/v2/api-keys', { name: 'reader', scopes: ['read'] });
    const headers = { authorization: `Bearer ${made.body.key}` };
    expect((await fetch(`${hub.url}${RUNS}/${id}/retry`, { method: 'POST', headers })).status).toBe(403);
  });
});

describe('GET /v2/plugins/:plugin/runs/:id/events', () => {
  it('sends the run whenever it changes, until it has ended', async () => {
    const gate = newPath();
    const id = await start({ steps: 2, gateAt: 2, gate });
    await until('it is in its second step', async () => (await read(id)).step === 2);
    const response = await fetch(`${hub.url}${RUNS}/${id}/events`, {
      headers: { authorization: `Bearer ${client.key}` },
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      if (text === '') await writeFile(gate, '');
      text += chunk;
    }
    const events = text
      .split('\n\n')
      .filter(Boolean)
      .map(event => JSON.parse(event.split('\ndata: ')[1]!) as Run);
    expect(events[0]).toMatchObject({ id, status: 'running', step: 2 });
    expect(events.at(-1)).toMatchObject({ id, status: 'finished', progress: { done: 2 } });
  });
});
