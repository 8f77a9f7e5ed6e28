import { Registry } from 'prom-client';
import { ClaimsService } from '#graph/claims/claims.service.js';
import { ClaimAuditJob } from '#graph/observations/claim-audit.job.js';
import { rebuildClaims } from '#graph/observations/claim-rebuild.js';
import { METRICS } from '#kernel/telemetry/metrics.module.js';
import { event, record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { expectClaimsConsistent } from '../../support/graph/expect-claims-consistent.js';
import { merge } from '../../support/graph/merge-calls.js';

let hub: TestHub;
let acme: Client;
let merged: string;

/** One day after the other, each of which is another sample: so many that a claim is in none of them once in 10^21. */
function* daysFrom(year: number): Generator<string> {
  for (let n = 0; n < 5000; n++) yield new Date(Date.UTC(year, 0, 1 + n)).toISOString().slice(0, 10);
}

/** Two people merged into one, a company, and a third person, with facts stated early, late and by events. */
beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace();
  await record(acme, 'ada@acme.com', [state('title', 'VP'), state('technologies', ['dbt']), event('email_replied')]);
  const other = await record(acme, 'ada@home.net', [state('title', 'CRO', { observed_at: '2026-01-01' })]);
  await record(acme, 'bob@acme.com', [state('title', 'CFO'), event('unsubscribed')]);
  await merge(acme, 'ada@acme.com', 'ada@home.net');
  merged = other.entity_id;
});
afterAll(() => hub?.end());

const rebuild = () => rebuildClaims(hub.database.work, acme.workspaceId, hub.app.get(ClaimsService, { strict: false }));
const sql = (text: string, values: unknown[] = []) => hub.database.pool.query(text, [acme.workspaceId, ...values]);
const checker = () => hub.app.get(ClaimAuditJob, { strict: false });
const counted = async (name: string) => {
  const registry = hub.app.get<Registry>(METRICS, { strict: false });
  const found = await registry.getSingleMetric(name)!.get();
  return found.values[0]?.value ?? 0;
};

it('finds nothing to change where nobody else has written', async () => {
  expect(await rebuild()).toMatchObject({ changed: 0, entities: 4 });
  await expectClaimsConsistent(hub.database.pool, acme.workspaceId);
});

it('fixes wrong claims, restores missing ones, and removes those that nothing states', async () => {
  await sql(`UPDATE claims SET state = '{}' WHERE workspace_id = $1 AND property = 'title'`);
  await sql(`DELETE FROM claims WHERE workspace_id = $1 AND property = 'do_not_contact'`);
  await sql(
    `INSERT INTO claims (workspace_id, entity_id, property, state)
     SELECT $1, id, 'mood', '{}' FROM entities WHERE workspace_id = $1`,
  );
  await sql(`INSERT INTO claims (workspace_id, entity_id, property, state) VALUES ($1, $2, 'title', '{}')`, [merged]);
  expect(await rebuild()).toMatchObject({ changed: 2 + 1 + 5 + 1 });
  expect(await rebuild()).toMatchObject({ changed: 0 });
  await expectClaimsConsistent(hub.database.pool, acme.workspaceId);
});

it('fixes the columns beside a sound state', async () => {
  const { rowCount } = await sql(
    `UPDATE claims SET top_observation_id = NULL WHERE workspace_id = $1 AND property = 'title'`,
  );
  expect(rowCount).toBeGreaterThan(0);
  expect(await rebuild()).toMatchObject({ changed: rowCount });
  expect(await rebuild()).toMatchObject({ changed: 0 });
  await expectClaimsConsistent(hub.database.pool, acme.workspaceId);
});

it('a check of a sample counts what differs, changes nothing, and is done once a day', async () => {
  await sql(`UPDATE claims SET state = '{}' WHERE workspace_id = $1`);
  let found = 0;
  for (const day of daysFrom(2027)) {
    found = (await checker().audit(acme.workspaceId, day)).changed;
    if (found > 0) break;
  }
  expect(found).toBeGreaterThan(0);
  expect(await counted('rapport_claim_audit_mismatches_total')).toBe(found);
  expect((await rebuild()).changed).toBeGreaterThan(0);

  await Promise.all([checker().auditAll('2027-01-01'), checker().auditAll('2027-01-01')]);
  const { rows } = await sql('SELECT day::text, claims, mismatches FROM claim_audits WHERE workspace_id = $1');
  expect(rows).toEqual([{ day: '2027-01-01', claims: expect.any(Number), mismatches: 0 }]);
});

it('a statement about the future whose time has come is no difference', async () => {
  const late = await hub.workspace();
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const { entity_id } = await record(late, 'cy@late.com', [
    state('title', 'CTO'),
    state('title', 'CEO', { observed_at: soon }),
  ]);
  await hub.database.pool.query(
    `UPDATE observations SET observed_at = now() - interval '1 second' WHERE entity_id = $1 AND value = '"CEO"'`,
    [entity_id],
  );
  await hub.database.pool.query(
    `UPDATE claims SET state = jsonb_set(state::jsonb, '{nextChangeAt}', to_jsonb((extract(epoch FROM now()) * 1000000)::bigint))::text, next_change_at = now()
     WHERE entity_id = $1 AND property = 'title'`,
    [entity_id],
  );
  for (const day of daysFrom(2028)) {
    const found = await checker().audit(late.workspaceId, day);
    expect(found.changed).toBe(0);
    if (found.claims > 1) return;
  }
  throw new Error('no sample held the claim');
});
