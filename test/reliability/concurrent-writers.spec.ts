import pg from 'pg';
import { toLockKey } from '../../src/graph/identity/entity-locks.js';
import { account, event, record, state, tryAccount, tryRecord, wholeTimeline } from '../support/graph/graph-calls.js';
import type { Client, TestHub } from '../support/hub.js';
import { hubForSuite } from '../support/hub-for-suite.js';
import { expectClaimsConsistent } from '../support/graph/expect-claims-consistent.js';
import { waitingForLocks } from '../support/database/lock-waits.js';
import { until } from '../support/until.js';
import { expectOneEntityOf, wordsOf, writeHot, WRITERS } from '../support/graph/writers.js';

let hub: TestHub;
let acme: Client;

hubForSuite(
  made => (acme = made),
  started => (hub = started),
);

const countOf = async (table: string, workspace: string) => {
  const sql = `SELECT count(*)::int AS n FROM ${table} WHERE workspace_id = $1`;
  return (await hub.database.pool.query<{ n: number }>(sql, [workspace])).rows[0]!.n;
};

describe('64 concurrent writers', () => {
  it('on one new address make one entity and one company, lose nothing, and claim what a sequential replay claims', async () => {
    await expectOneEntityOf([acme], await hub.workspace());
    expect(await countOf('entities', acme.workspaceId)).toBe(2);
    expect(await countOf('observation_log', acme.workspaceId)).toBe(3 * WRITERS.length + 1);
  });

  it('that keep writing about the same few leave the claims that the whole log gives', async () => {
    await writeHot([acme]);
    expect(await countOf('observation_log', acme.workspaceId)).toBe(16 * 10 * 3);
    await expectClaimsConsistent(hub.database.pool, acme.workspaceId);
  });

  it('have the last word by time, also over one that began earlier and came later', async () => {
    const { entity_id } = await record(acme, 'linkedin.com/in/held', [state('title', 'CTO')]);
    const blocker = new pg.Client(hub.database.url);
    await blocker.connect();
    await blocker.query('BEGIN; LOCK TABLE identifiers IN SHARE MODE');
    const held = record(acme, entity_id, [state('name', 'Early Name'), state('email', 'held@acme.com')]);
    await until('the first call waits', async () => (await waitingForLocks(hub.database.pool)) === 1);
    await record(acme, entity_id, [state('name', 'Late Name')]);
    await blocker.query('COMMIT');
    await blocker.end();
    await held;
    expect((await account(acme, 'Late Name')).entity_id).toBe(entity_id);
    expect((await tryAccount(acme, 'Early Name')).status).toBe(404);
    await expectClaimsConsistent(hub.database.pool, acme.workspaceId);
  });

  it('create people, each stated with their own address, beside another transaction that creates somebody', async () => {
    const other = new pg.Client(hub.database.url);
    await other.connect();
    await other.query('BEGIN');
    await other.query('SELECT pg_advisory_xact_lock_shared($1)', [String(toLockKey(acme.workspaceId))]);
    const { entity_created } = await record(acme, 'own@gmail.com', [state('email', 'own@gmail.com')]);
    expect(entity_created).toBe(true);
    await other.query('ROLLBACK');
    await other.end();
  });

  it('some on one entity and some on their own are all served, once each', async () => {
    const focusOf = (i: number) => (i % 3 === 0 ? 'hot@busy.com' : `own${i}@busy.com`);
    const answers = await Promise.all(WRITERS.map(i => tryRecord(acme, focusOf(i), wordsOf(i))));
    expect(answers.map(({ status }) => status)).toEqual(WRITERS.map(() => 200));
    const hot = (await wholeTimeline(acme, 'hot@busy.com')).filter(o => o.kind === 'event');
    expect(hot).toHaveLength(WRITERS.filter(i => i % 3 === 0).length);
    expect(await countOf('entities', acme.workspaceId)).toBe(1 + new Set(WRITERS.map(focusOf)).size);
    const created = answers.filter(({ body }) => body.entity_created).length;
    expect(created).toBe(new Set(WRITERS.map(focusOf)).size);
  });

  it('with the same external IDs record each once; the others get duplicates', async () => {
    const answers = await Promise.all(WRITERS.map(() => tryRecord(acme, 'same@busy.com', wordsOf(1))));
    expect(answers.filter(({ body }) => body.recorded === 3)).toHaveLength(1);
    expect(answers.map(({ body }) => body.recorded + body.duplicates)).toEqual(WRITERS.map(() => 3));
    expect((await wholeTimeline(acme, 'same@busy.com')).filter(o => o.external_id?.endsWith('-1'))).toHaveLength(3);
  });

  it('that name each other in opposite order never stand in each other’s way for good', async () => {
    const before = await deadlocks();
    for (let round = 0; round < 30; round++) {
      const [left, right, profile] = [`l${round}@a.com`, `r${round}@b.com`, `https://linkedin.com/in/person-${round}`];
      const received = await Promise.all([
        tryRecord(acme, left, [state('linkedin_url', profile), state('email', right)]),
        tryRecord(acme, profile, [state('email', right), state('email', left)]),
        tryRecord(acme, right, [state('email', left), state('linkedin_url', profile)]),
      ]);
      expect(received.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
    expect(await deadlocks()).toBe(before);
  });
});

async function deadlocks(): Promise<number> {
  const sql =
    'SELECT pg_stat_force_next_flush(), deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()';
  return (await hub.database.pool.query<{ n: number }>(sql)).rows[0]!.n;
}

describe('a call that cannot be written', () => {
  it('fails alone when its entity does not exist', async () => {
    const outsider = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
    const focusOf = (i: number) => (i % 8 === 3 ? outsider : 'hot@busy.com');
    const answers = await Promise.all(WRITERS.map(i => tryRecord(acme, focusOf(i), [event('call_held')])));
    expect(answers.map(({ status }) => status)).toEqual(WRITERS.map(i => (i % 8 === 3 ? 404 : 200)));
    expect((await wholeTimeline(acme, 'hot@busy.com')).filter(o => o.kind === 'event')).toHaveLength(56);
  });

  it('fails alone when PostgreSQL refuses a row of it, and leaves nothing behind', async () => {
    await hub.database.pool.query("ALTER TABLE observation_log ADD CONSTRAINT refused CHECK (property <> 'poison')");
    const poisoned = (i: number) => i % 16 === 5;
    const write = (i: number) => {
      const words = [event('call_held', { external_id: `call-${i}` }), ...(poisoned(i) ? [state('poison', 'x')] : [])];
      return tryRecord(acme, poisoned(i) ? `poison${i}@busy.com` : 'hot@busy.com', words);
    };
    const answers = await Promise.all(WRITERS.map(write));
    await hub.database.pool.query('ALTER TABLE observation_log DROP CONSTRAINT refused');
    expect(answers.map(({ status }) => status)).toEqual(WRITERS.map(i => (poisoned(i) ? 500 : 200)));
    expect(answers[5]!.body).toMatchObject({
      error: 'internal_error',
      detail: expect.not.stringContaining('constraint'),
    });
    const calls = (await wholeTimeline(acme, 'hot@busy.com')).filter(o => o.kind === 'event');
    expect(new Set(calls.map(o => o.external_id)).size).toBe(60);
    expect(calls).toHaveLength(60);
    for (const i of WRITERS.filter(poisoned)) expect((await tryAccount(acme, `poison${i}@busy.com`)).status).toBe(404);
  });

  it('accept a name as long as a value may be, although no lookup accepts it', async () => {
    const long = Array.from({ length: 4000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join('');
    const honorific = 'mr '.repeat(20_000);
    for (const name of [long, honorific, 'ﷺ'.repeat(319)]) {
      const { entity_id } = await record(acme, 'long@names.com', [state('name', name)]);
      expect((await account(acme, entity_id)).name).toBe(name);
    }
  });
});
