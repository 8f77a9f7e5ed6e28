import { contextOf } from '../../support/graph/context.js';
import { account, event, record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { saveNote } from '../../support/graph/notes.js';
import { listenTo, type StatementLog } from '../../support/database/statements.js';

let hub: TestHub;
let acme: Client;
let log: StatementLog;

beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR: 'test/plugins/none' });
  log = listenTo(hub.database.pool);
  acme = await hub.workspace();
  await record(acme, 'ada@engine.com', [state('title', 'VP Sales'), event('email_replied')]);
});
afterAll(() => hub.end());

async function sentBy(work: () => Promise<unknown>): Promise<number> {
  log.clear();
  await work();
  const transactions = log.of('rapport_app');
  expect(transactions).toHaveLength(1);
  expect(transactions[0]!.filter(({ sql }) => /^\s*(?:INSERT|UPDATE|DELETE)/.test(sql))).toEqual([]);
  return transactions[0]!.length;
}

it('context and accounts cost the same few statements however much is known', async () => {
  const response = () => [
    () => contextOf(acme, 'ada@engine.com', { task: 'renewal' }),
    () => contextOf(acme, 'ada@engine.com'),
    () => account(acme, 'ada@engine.com'),
    () => account(acme, 'ada@engine.com', { intent: 'draft_email' }),
    () => account(acme, 'engine.com'),
  ];
  const counts = async () => {
    const all: number[] = [];
    for (const ask of response()) all.push(await sentBy(ask));
    return all;
  };
  const before = await counts();
  for (let i = 0; i < 12; i++) {
    const facts = Array.from({ length: 20 }, (_, n) => state(`fact_${i}_${n}`, n));
    await record(acme, `p${i}@engine.com`, [state('title', 'CTO'), event('call_held')]);
    await record(acme, 'ada@engine.com', [...facts, event('email_sent')]);
    await saveNote(acme, 'ada@engine.com', `renewal ${i}`);
  }
  expect(await counts()).toEqual(before);
  expect(before).toEqual([13, 12, 9, 12, 10]);
});
