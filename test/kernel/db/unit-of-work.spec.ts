import { randomUUID } from 'node:crypto';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

let hub: TestHub;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR: 'test/plugins/none' });
  acme = await hub.workspace();
});
afterAll(() => hub.end());

const INSERT = `INSERT INTO entities (workspace_id, id, type) VALUES ($1, $2, 'person')`;

async function isThere(id: string): Promise<boolean> {
  const { rows } = await hub.database.pool.query('SELECT 1 FROM entities WHERE id = $1', [id]);
  return rows.length > 0;
}

/** Writes somebody, and defers a statement beside. */
function writeWith(id: string, sql: string, value: unknown): Promise<void> {
  return hub.database.work.run(acme.workspaceId, async tx => {
    await tx.query(INSERT, [tx.workspace, id]);
    tx.deferToCommit(sql, [value]);
  });
}

describe('a statement that travels with COMMIT', () => {
  it('is written with the rest', async () => {
    const [id, other] = [randomUUID(), randomUUID()];
    await writeWith(
      id,
      `INSERT INTO entities (workspace_id, id, type) VALUES (current_workspace(), $1, 'person')`,
      other,
    );
    expect(await Promise.all([isThere(id), isThere(other)])).toEqual([true, true]);
  });

  it('and is refused takes the transaction with it, and says why', async () => {
    const id = randomUUID();
    await expect(writeWith(id, 'SELECT 1 / $1::int', 0)).rejects.toMatchObject({ code: '22012' });
    expect(await isThere(id)).toBe(false);
  });

  it('and cannot be sent takes the transaction with it', async () => {
    const id = randomUUID();
    const round: Record<string, unknown> = {};
    round['self'] = round;
    await expect(writeWith(id, 'SELECT $1::json', round)).rejects.toThrow(/circular/i);
    await expect(writeWith(id, 'SELECT $1::text[]', [{}])).rejects.toThrow(/a list for the database/);
    expect(await isThere(id)).toBe(false);
  });
});

describe('a statement that is sent ahead', () => {
  const ADD = prepare(`INSERT INTO entities (workspace_id, id, type) VALUES ($1, $2, $3)`);
  const writeAhead = (id: string, type: string, more: (tx: Tx) => unknown = () => undefined) =>
    hub.database.work.run(acme.workspaceId, async tx => {
      await tx.now();
      tx.sendEarly(ADD, [tx.workspace, id, type]);
      await more(tx);
    });

  it('is written with the rest, and seen by what is asked next', async () => {
    const [id, other] = [randomUUID(), randomUUID()];
    await writeAhead(id, 'person', async tx => {
      expect(await tx.query('SELECT type FROM entities WHERE id = $1', [id])).toEqual([{ type: 'person' }]);
      tx.sendEarly(ADD, [tx.workspace, other, 'company']);
    });
    expect(await Promise.all([isThere(id), isThere(other)])).toEqual([true, true]);
  });

  it('and is refused takes the transaction with it, and says why', async () => {
    const [id, other] = [randomUUID(), randomUUID()];
    const refused = { code: '23514' };
    await expect(writeAhead(id, 'nobody')).rejects.toMatchObject(refused);
    const deferring = (tx: Tx) => tx.deferToCommit(INSERT, [tx.workspace, other]);
    await expect(writeAhead(id, 'nobody', deferring)).rejects.toMatchObject(refused);
    await expect(writeAhead(id, 'nobody', tx => tx.query('SELECT 1'))).rejects.toMatchObject(refused);
    expect(await Promise.all([isThere(id), isThere(other)])).toEqual([false, false]);
  });

  it('is taken back with work that fails behind it', async () => {
    const id = randomUUID();
    const fails = writeAhead(id, 'person', () => {
      throw new Error('the work fails');
    });
    await expect(fails).rejects.toThrow('the work fails');
    expect(await isThere(id)).toBe(false);
  });
});

it('what waits for the commit is called once after it, and never where there is none', async () => {
  const told: string[] = [];
  const write = (what: string, sql: string) =>
    hub.database.work.run(acme.workspaceId, async tx => {
      tx.afterCommit(() => told.push(what));
      await tx.query('SELECT 1');
      tx.deferToCommit(sql);
      expect(told).not.toContain(what);
    });
  await write('committed', 'SELECT 1');
  await expect(write('refused at the end', 'SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
  const fails = hub.database.work.run(acme.workspaceId, async tx => {
    tx.afterCommit(() => told.push('failed'));
    throw new Error('the work fails');
  });
  await expect(fails).rejects.toThrow('the work fails');
  expect(told).toEqual(['committed']);
});

it('nothing of a transaction that has ended reaches the connection, nor by way of the object mapper', async () => {
  let late: (() => Promise<unknown>)[] = [];
  await hub.database.work.run(acme.workspaceId, async tx => {
    const em = await tx.entityManager();
    late = [
      () => tx.query('SELECT 1'),
      () => em.getConnection().execute('SELECT 1', [], 'all', em.getTransactionContext()),
    ];
  });
  for (const ask of late) await expect(ask()).rejects.toThrow('the transaction has ended');
});
