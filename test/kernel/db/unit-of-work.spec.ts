import { randomUUID } from 'node:crypto';
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
    await expect(writeWith(id, 'SELECT $1::json[]', [round])).rejects.toThrow(/circular/i);
    expect(await isThere(id)).toBe(false);
  });
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
