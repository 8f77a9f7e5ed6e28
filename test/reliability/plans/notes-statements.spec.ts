import { record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { saveNote, searchNotes } from '../../support/graph/notes.js';
import { listenTo, type StatementLog } from '../../support/database/statements.js';

let hub: TestHub;
let log: StatementLog;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR: 'test/plugins/none' });
  log = listenTo(hub.database.pool);
  acme = await hub.workspace();
  await record(acme, 'ada@acme.com', [state('title', 'CTO')]);
  await saveNote(acme, 'ada@acme.com', 'Kubernetes in production');
});
afterAll(() => hub.end());

/** Statements of the workspace's transactions while `work` runs, BEGIN and COMMIT among them. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  log.clear();
  await work();
  return log.of('rapport_app').flat().length;
}

const turns = (n: number) => Array.from({ length: n }, (_, i) => `Ada: ${`point ${i} `.repeat(60)}`).join('\n');

it('a note costs the same few statements however long it is', async () => {
  const short = await statementsOf(() => saveNote(acme, 'ada@acme.com', 'short'));
  const long = await statementsOf(() => saveNote(acme, 'ada@acme.com', turns(200)));
  expect(short).toBe(9);
  expect(long).toBe(short);
});

it('a search costs the same few statements however many notes there are', async () => {
  expect(await statementsOf(() => searchNotes(acme, 'kubernetes'))).toBe(5);
  for (let n = 0; n < 20; n++) await saveNote(acme, 'ada@acme.com', `Kubernetes ${n}`);
  expect(await statementsOf(() => searchNotes(acme, 'kubernetes'))).toBe(5);
});

it('a focus costs two more, and so does a typing error', async () => {
  expect(await statementsOf(() => searchNotes(acme, 'kubernetes', { focus: 'ada@acme.com' }))).toBe(7);
  expect(await statementsOf(() => searchNotes(acme, 'kubernates'))).toBe(7);
});

it('announces a note in the transaction that keeps it, and a repeat not at all', async () => {
  log.clear();
  const note = await saveNote(acme, 'ada@acme.com', 'told', { title: 'T', external_id: 'once' });
  await saveNote(acme, 'ada@acme.com', 'told', { title: 'T', external_id: 'once' });
  const received = log
    .of('rapport_app')
    .flat()
    .filter(({ sql }) => sql.includes('INSERT INTO outbox'));
  expect(received).toHaveLength(1);
  // The payload stands in the text of an array, where quotes are escaped.
  const text = received[0]!.values.join(' ').replaceAll('\\', '');
  for (const part of ['note.saved', `"note_id":"${note.id}"`, `"entity_id":"${note.entity_id}"`, '"title":"T"']) {
    expect(text).toContain(part);
  }
});

it('twenty concurrent notes with the same new words are all stored and found', async () => {
  const client = await hub.workspace();
  const words = 'zulu yankee xray whiskey victor uniform tango';
  const all = Array.from({ length: 20 }, (_, i) =>
    saveNote(client, `p${i}@acme.com`, i % 2 ? words : words.split(' ').toReversed().join(' ')),
  );
  await Promise.all(all);
  expect((await searchNotes(client, 'whiskey', { limit: 20 })).count).toBe(20);
  expect((await searchNotes(client, 'whsikey', { limit: 20 })).count).toBe(20);
  const sql = `SELECT passages FROM note_statistics WHERE workspace_id = $1`;
  expect((await hub.database.pool.query(sql, [client.workspaceId])).rows).toEqual([{ passages: 20 }]);
});
