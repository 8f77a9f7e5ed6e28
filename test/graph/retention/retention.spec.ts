import { ClaimsService } from '#graph/claims/claims.service.js';
import { rebuildClaims } from '#graph/observations/claim-rebuild.js';
import { RetentionJob } from '#graph/retention/retention.job.js';
import { claimRun } from '#graph/retention/retention.queries.js';
import type { RetentionResponse } from '#graph/retention/retention.service.js';
import type { AuditResponse } from '#graph/audit/audit.service.js';
import type { WorkspaceStatusResponse } from '#graph/workspace/status.presenter.js';
import { account, type ErrorBody, event, record, state } from '../../support/graph/graph-calls.js';
import { saveNote } from '../../support/graph/notes.js';
import { type Client, clientOf, startTestHub, type TestHub } from '../../support/hub.js';

let hub: TestHub;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub({ ROLE: 'api' });
});
beforeEach(async () => {
  acme = await hub.workspace();
});
afterAll(() => hub?.end());

/** After every retention below: rows that are recorded now are two days old then. */
const LATER = '2 days';
const DAY = '2026-11-20';

const read = async () => (await acme.get<RetentionResponse>('/v2/workspace/retention')).body;
const change = (body: object, headers = {}) =>
  acme.patch<RetentionResponse & ErrorBody>('/v2/workspace/retention', body, headers);
const query = async <Row>(sql: string) =>
  (await hub.database.work.run(acme.workspaceId, tx => tx.query<Row & object>(sql))) as Row[];
const count = async (table: string, where = 'true') =>
  (await query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE ${where}`))[0]!.n;

/** Runs the job of a day as if it had started two days from now. */
async function applyLater(day = DAY): Promise<void> {
  await hub.database.work.run(acme.workspaceId, tx => claimRun(tx, day));
  await hub.database.pool.query(
    `UPDATE retention_runs SET started_at = now() + interval '${LATER}', active_at = now() - interval '1 hour'
     WHERE workspace_id = $1`,
    [acme.workspaceId],
  );
  await hub.app.get(RetentionJob, { strict: false }).applyAll(day);
}

it('begins with no limits, apart from deliveries and received webhooks', async () => {
  expect(await read()).toEqual({
    days: { raw_payloads: null, notes: null, page_visits: null, deliveries: 30, inbound_events: 30 },
    updated_at: null,
    last_run: null,
  });
});

it('a change is validated, audited and idempotent, and leaves other kinds as they are', async () => {
  const changed = await change({ raw_payloads: 30 }, { 'idempotency-key': 'r-1' });
  expect(changed).toMatchObject({ status: 200, body: { days: { raw_payloads: 30, notes: null } } });
  await change({ raw_payloads: 30 }, { 'idempotency-key': 'r-1' });
  await change({ raw_payloads: 30 });
  expect((await change({ raw_payloads: null, notes: 90 })).body.days).toMatchObject({ raw_payloads: null, notes: 90 });
  const { events } = (await acme.get<AuditResponse>('/v2/workspace/audit?action=retention')).body;
  expect(events.map(({ before, after }) => [before, after])).toMatchObject([
    [{ raw_payloads: 30 }, { raw_payloads: null, notes: 90 }],
    [{ raw_payloads: null }, { raw_payloads: 30 }],
  ]);
  const fields = async (body: object) => (await change(body)).body.details?.map(({ field }) => field);
  expect(await fields({ raw_payloads: 0, notes: 1.5, deliveries: null, inbound_events: 31 })).toEqual([
    'raw_payloads',
    'notes',
    'deliveries',
    'inbound_events',
  ]);
  expect(await fields({ page_visits: '7', mood: 1 })).toContain('mood');
  expect(await fields({})).toEqual(['raw_payloads']);
  const { key } = (await acme.post<{ key: string }>('/v2/api-keys', { name: 'Agent' })).body;
  expect((await clientOf(hub.url, key).patch<ErrorBody>('/v2/workspace/retention', { notes: 1 })).status).toBe(403);
});

it('removes what is older than the settings say and nothing else, and keeps the facts right', async () => {
  await record(acme, 'ada@acme.com', [
    state('title', 'CFO', { raw: { row: 1 } }),
    event('page_visited', { value: { url: 'https://acme.com/pricing' } }),
    event('email_replied', { raw: { row: 2 } }),
  ]);
  const note = await saveNote(acme, 'ada@acme.com', 'The renewal is in Septemvember.');
  const before = await account(acme, 'ada@acme.com');
  await change({ raw_payloads: 1, notes: 1, page_visits: 1 });
  await hub.app.get(RetentionJob, { strict: false }).applyAll('2026-11-19');
  expect((await read()).last_run).toMatchObject({ day: '2026-11-19', removed: {} });

  await applyLater();
  expect((await read()).last_run).toMatchObject({
    day: DAY,
    finished_at: expect.any(String),
    removed: { raw_payloads: 2, notes: 1, page_visits: 1 },
  });
  expect(await count('observations', 'raw IS NOT NULL')).toBe(0);
  expect((await acme.get(`/v2/notes/${note.id}`)).status).toBe(404);
  for (const table of ['note_chunks', 'note_terms', 'note_numbers', 'note_words', 'note_trigrams'])
    expect(await count(table)).toBe(0);
  expect(await query('SELECT passages, tokens FROM note_statistics')).toEqual([{ passages: 0, tokens: 0 }]);
  const after = await account(acme, 'ada@acme.com');
  expect(after.claims['title']).toMatchObject({ value: 'CFO', sources: before.claims['title']!.sources });
  expect(after.claims['email_status']).toMatchObject({ value: 'valid' });
  const claims = hub.app.get(ClaimsService, { strict: false });
  expect((await rebuildClaims(hub.database.work, acme.workspaceId, claims)).changed).toBe(0);
});

it('keeps what has no limit', async () => {
  await record(acme, 'ada@acme.com', [event('page_visited', { raw: { row: 1 } })]);
  await saveNote(acme, 'ada@acme.com', 'Kept.');
  await applyLater();
  expect((await read()).last_run).toMatchObject({ day: DAY, removed: {} });
  expect([await count('observations', 'raw IS NOT NULL'), await count('notes')]).toEqual([1, 1]);
});

it('removes logged deliveries and received webhooks, but no delivery that waits', async () => {
  await hub.database.pool.query(
    `INSERT INTO plugin_store (workspace_id, plugin, connection_id, key, value, updated_at)
     SELECT $1, 'triggers', gen_random_uuid(), key, '1', now() - interval '2 days'
     FROM unnest('{log:e:1,queue:e:2,endpoint:e}'::text[]) AS key`,
    [acme.workspaceId],
  );
  await hub.database.pool.query(
    `INSERT INTO inbound_events (workspace_id, id, connection_id, plugin, name, event_id, headers, body, received_at)
     SELECT $1, '00000000-0000-7000-8000-000000000001', gen_random_uuid(), 'x', 'x', 'x', '{}', '',
            now() - interval '8 days'`,
    [acme.workspaceId],
  );
  await change({ deliveries: 1, inbound_events: 7 });
  await hub.app.get(RetentionJob, { strict: false }).applyAll('2026-11-18');
  expect((await read()).last_run).toMatchObject({ removed: { deliveries: 1, inbound_events: 1 } });
  expect(await count('plugin_store')).toBe(2);
});

it('works in batches, resumes after a crash and counts every row once', async () => {
  const visits = Array.from({ length: 700 }, () => event('page_visited', { raw: { row: 1 } }));
  await record(acme, 'ada@acme.com', visits);
  await record(acme, 'ada@acme.com', visits);
  await change({ raw_payloads: 1, page_visits: 1 });
  const job = hub.app.get(RetentionJob, { strict: false });
  const { work } = hub.database;
  let batches = 0;
  const dying = Object.assign(Object.create(work) as typeof work, {
    erase: (...args: Parameters<typeof work.erase>) => {
      if (args[0] === acme.workspaceId && ++batches === 3) throw new Error('the process dies');
      return work.erase(...args);
    },
  });
  Object.assign(job, { work: dying });
  await expect(applyLater()).rejects.toThrow('the process dies');
  Object.assign(job, { work });
  expect(await count('observations', "kind = 'event'")).toBe(1400);
  expect((await read()).last_run).toMatchObject({ finished_at: null, removed: { raw_payloads: 1400 } });

  await job.applyAll(DAY);
  expect((await read()).last_run).toMatchObject({ finished_at: null });
  await hub.database.pool.query("UPDATE retention_runs SET active_at = now() - interval '6 minutes'");
  await job.applyAll(DAY);
  expect(await count('observations', "kind = 'event'")).toBe(0);
  expect((await read()).last_run).toMatchObject({
    finished_at: expect.any(String),
    removed: { raw_payloads: 1400, page_visits: 1400 },
  });
  await job.applyAll(DAY);
  const { events } = (await acme.get<AuditResponse>('/v2/workspace/audit?action=retention.apply')).body;
  expect(events).toMatchObject([{ actor: { kind: 'operator', id: 'hub' }, after: { page_visits: 1400 } }]);
});

it('the last run is in the status of the workspace and the removed rows are in the metrics', async () => {
  await record(acme, 'ada@acme.com', [event('page_visited')]);
  await change({ page_visits: 1 });
  await applyLater();
  const { body } = await acme.get<WorkspaceStatusResponse>('/v2/workspace/status');
  expect(body.retention.last_run).toMatchObject({ day: DAY, removed: { page_visits: 1 } });
  const metrics = await (await fetch(`${hub.url}/metrics`)).text();
  expect(metrics).toMatch(/^rapport_retention_removed_total\{kind="page_visits"\} \d+$/m);
  expect(metrics).toMatch(/^rapport_retention_runs_total \d+$/m);
});
