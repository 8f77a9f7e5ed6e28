import { randomUUID } from 'node:crypto';
import { record, state } from '../support/graph-calls.js';
import { startTestHub, type TestHub } from '../support/hub.js';
import { expectKeptIsFolded } from '../support/kept-claims.js';
import { rapportHere } from '../support/rapport-command.js';
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
    for (const { workspaceId } of [one, two]) await expectKeptIsFolded(hub.database.pool, workspaceId);
  });

  it('says what it cannot do', async () => {
    expect(await admin('rebuild-claims', '--workspace', 'x')).toMatchObject({ code: 2 });
  });
});

describe('events', () => {
  const failedBatch = async (workspace: string, reason: string, ...types: string[]): Promise<string> => {
    const id = randomUUID();
    const events = types.map(type => ({ id: randomUUID(), type, payload: { secret: 'not to be shown' } }));
    await hub.database.work.system(tx =>
      tx.query(
        `INSERT INTO outbox (workspace_id, id, events, size, published_at, failed_at, failure)
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
