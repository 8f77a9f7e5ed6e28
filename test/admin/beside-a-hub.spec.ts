import { randomUUID } from 'node:crypto';
import { readEnv } from '#kernel/config/env.js';
import { createLogger } from '#kernel/telemetry/logger.js';
import { startHub } from '../../src/hub.js';
import { record, state } from '../support/graph/graph-calls.js';
import { startTestHub, testEnv, type TestHub } from '../support/hub.js';
import { expectClaimsConsistent } from '../support/graph/expect-claims-consistent.js';
import { foundIds, saveNote } from '../support/graph/notes.js';
import { rapportHere } from '../support/process/rapport-command.js';
import { spawnHub } from '../support/process/spawned-hub.js';
import { until } from '../support/until.js';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub?.end());

const admin = (...words: string[]) => rapportHere(['admin', ...words], { DATABASE_URL: hub.database.url });

describe('rebuild-claims', () => {
  it('folds the claims of one workspace or of all', async () => {
    const [one, two] = [await hub.workspace(), await hub.workspace()];
    for (const client of [one, two]) await record(client, 'ada@acme.com', [state('title', 'VP')]);
    await hub.database.pool.query(`UPDATE claims SET state = '{}' WHERE property = 'title'`);

    const first = await admin('rebuild-claims', '--workspace', one.workspaceId, '--json');
    expect({ ...first, err: '' }).toMatchObject({ code: 0 });
    expect(JSON.parse(first.out)).toEqual({
      rebuilt: [{ workspace_id: one.workspaceId, entities: 2, claims: 2, changed: 1 }],
    });
    expect(first.err).toContain(`${one.workspaceId}: 2 entities read, 1 claims changed`);

    const all = await admin('rebuild-claims');
    expect(all.out).toMatch(new RegExp(`${one.workspaceId} +2 +2 +0`));
    expect(all.out).toMatch(new RegExp(`${two.workspaceId} +2 +2 +1`));
    for (const { workspaceId } of [one, two]) await expectClaimsConsistent(hub.database.pool, workspaceId);
  });

  it('says what it cannot do', async () => {
    expect(await admin('rebuild-claims', '--workspace', 'x')).toMatchObject({ code: 2 });
  });
});

it('says so where a command for one workspace names none that is there', async () => {
  const nobody = randomUUID();
  for (const command of [['rebuild-claims'], ['reindex-notes'], ['secrets', 'rotate']])
    expect(await admin(...command, '--workspace', nobody)).toEqual({
      code: 1,
      out: '',
      err: `There is no workspace ${nobody}.\n`,
    });
});

describe('reindex-notes', () => {
  it('rebuilds terms where they differ, and only counts them in a dry run', async () => {
    const client = await hub.workspace();
    const old = await saveNote(client, 'ada@acme.com', 'They want to walk away.', { title: 'Call' });
    await saveNote(client, 'bob@acme.com', 'Kubernetes in production.', { title: 'Call' });
    const { pool } = hub.database;
    const statistics = async () =>
      (await pool.query('SELECT passages, tokens FROM note_statistics WHERE workspace_id = $1', [client.workspaceId]))
        .rows;
    const before = await statistics();
    // As an older version has read it: without a concept, and with a word that is none any more.
    await pool.query(`DELETE FROM note_terms WHERE workspace_id = $1 AND term = '~churn'`, [client.workspaceId]);
    await pool.query(`UPDATE note_terms SET term = 'walked' WHERE workspace_id = $1 AND term = 'walk'`, [
      client.workspaceId,
    ]);
    expect(await foundIds(client, 'cancel')).toEqual([]);

    const reindex = async (...words: string[]) =>
      JSON.parse((await admin('reindex-notes', '--workspace', client.workspaceId, '--json', ...words)).out) as object;
    const counted = { workspace_id: client.workspaceId, notes: 2, passages: 2, changed: 1, vectors: 0 };
    expect(await reindex('--dry-run')).toEqual({ dry_run: true, reindexed: [counted] });
    expect(await foundIds(client, 'cancel')).toEqual([]);
    expect(await reindex()).toEqual({ dry_run: false, reindexed: [counted] });
    expect(await foundIds(client, 'cancel')).toEqual([old.id]);
    expect(await statistics()).toEqual(before);

    const again = await admin('reindex-notes', '--workspace', client.workspaceId);
    expect(again.out).toMatch(new RegExp(`${client.workspaceId} +2 +2 +0 +0`));
    expect(again.err).toContain(`${client.workspaceId}: 2 notes read, 0 changed`);
  });

  it('says what vectors need', async () => {
    const { code, err } = await admin('reindex-notes', '--vectors');
    expect({ code, err }).toEqual({
      code: 1,
      err: '--vectors needs an embedder: set EMBEDDINGS_URL and EMBEDDINGS_MODEL.\n',
    });
  });
});

describe('events', () => {
  const failedBatch = async (workspace: string, reason: string, ...types: string[]): Promise<string> => {
    const id = randomUUID();
    const events = types.map(type => ({ id: randomUUID(), type, payload: { secret: 'not to be shown' } }));
    await hub.database.work.system(tx =>
      tx.query(
        `INSERT INTO outbox (workspace_id, id, events, event_count, published_at, failed_at, last_error)
         VALUES ($1, $2, $3, $4, now(), now(), $5)`,
        [workspace, id, JSON.stringify(events), events.length, reason],
      ),
    );
    return id;
  };
  const failed = async () =>
    (JSON.parse((await admin('events', 'failed', '--json')).out) as { failed: object[] }).failed;
  const left = async () => (await hub.database.work.system(tx => tx.query('SELECT id FROM outbox'))).length;

  it('that failed are listed with their reason, and sent again one batch or all', async () => {
    const { workspaceId } = await hub.workspace();
    expect(await admin('events', 'failed')).toEqual({ code: 0, out: 'None.\n', err: '' });
    const older = await failedBatch(workspaceId, 'receiver: is away', 'thing.made', 'thing.made', 'thing.gone');
    const newer = await failedBatch(workspaceId, 'receiver: says no', 'thing.made');

    expect(await failed()).toEqual([
      {
        batch_id: newer,
        workspace_id: workspaceId,
        events: [{ id: expect.any(String), type: 'thing.made' }],
        occurred_at: expect.stringMatching(/Z$/),
        failed_at: expect.stringMatching(/Z$/),
        reason: 'receiver: says no',
      },
      expect.objectContaining({ batch_id: older, reason: 'receiver: is away' }),
    ]);
    const shown = (await admin('events', 'failed')).out;
    expect(shown).toMatch(new RegExp(`${older} +${workspaceId} +2 thing.made, 1 thing.gone +\\S+ +receiver: is away`));
    expect(shown).not.toContain('not to be shown');

    expect(await admin('events', 'redrive', '--batch', newer)).toMatchObject({ code: 0, out: 'Sent again: 1.\n' });
    expect(await failed()).toMatchObject([{ batch_id: older }]);
    expect(JSON.parse((await admin('events', 'redrive', '--json')).out)).toEqual({ redriven: 1 });
    expect(await failed()).toEqual([]);
    await until('the hub has delivered them', async () => (await left()) === 0);
  });

  it('that did not fail cannot be sent again', async () => {
    const id = randomUUID();
    const none = await admin('events', 'redrive', '--batch', id);
    expect(none).toEqual({ code: 1, out: '', err: `There is no failed batch ${id}.\n` });
  });
});

describe('a hub that cannot start', () => {
  it.each([
    ['its port is taken', () => ({ PORT: new URL(hub.url).port }), 'set PORT to another one'],
    ['it shall listen elsewhere', () => ({ HOST: '192.0.2.1' }), 'not an address of this machine; set HOST'],
  ])('says why and what to do, without a stack in the log: %s', async (_, settings, sentence) => {
    const lines: string[] = [];
    const log = createLogger('info', { write: line => void lines.push(line) });
    await expect(startHub(testEnv(hub.database.url, settings()), log)).rejects.toThrow(sentence);
    expect(lines.filter(line => line.includes('"level":"error"'))).toEqual([]);
  });

  // In a process of its own: what else was being opened meanwhile ends with that.
  it('says why and what to do, without a stack in the log: it has no key to seal with', async () => {
    // Nothing listens at the address: a start that connected first would name that.
    const started = spawnHub({ DATABASE_URL: 'postgres://rapport:x@127.0.0.1:1/none', SECRET_KEYS: '' });
    const output = await started.then(
      () => 'it has started',
      (error: Error) => error.message,
    );
    expect(output).toContain('SECRET_KEYS must be set');
    expect(output).not.toContain('"level":"error"');
  });

  it.each([
    [{ PORT: 'abc' }, 'PORT: must be a whole number from 0 to 65535'],
    [{ DATABASE_POOL_SIZE: '1' }, 'DATABASE_POOL_SIZE: must be a whole number from 2 to 500'],
  ])('says which setting is none: %j', (settings, sentence) => {
    expect(() => readEnv(settings)).toThrow(sentence);
  });
});
