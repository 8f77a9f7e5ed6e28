import { readdirSync, readFileSync } from 'node:fs';
import { searchNotes, saveNote } from '../support/graph/notes.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';
import { toTermRows } from '#graph/notes/note-index.queries.js';

/** Bytes of index, as PostgreSQL stores it, for each byte of text. */
const MAX_INDEX_RATIO = 5;
const NOTE_LENGTH = 3000;

let hub: TestHub;
let acme: Client;
beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace();
});
afterAll(() => hub.end());

const rows = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await hub.database.pool.query<Row>(sql, values)).rows;

function readDocs(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .toSorted()
    .map(name => readFileSync(`${folder}/${name}`, 'utf8'))
    .join('\n\n');
}

it('takes less than five times the text of the notes, with all tables and their indexes', async () => {
  // A vocabulary grows more slowly than the text, so a small sample would say little.
  const text = readDocs('docs').repeat(4);
  const notes = Array.from({ length: Math.ceil(text.length / NOTE_LENGTH) }, (_, i) =>
    text.slice(i * NOTE_LENGTH, (i + 1) * NOTE_LENGTH),
  );
  // One after the other: how soon PostgreSQL reuses the space of replaced rows depends on concurrent transactions.
  for (const [i, content] of notes.entries()) await saveNote(acme, `p${i}@acme.com`, content);
  const [index] = await rows<{ bytes: number; tables: number }>(
    `SELECT sum(pg_total_relation_size(oid))::float8 AS bytes, count(*)::int AS tables
     FROM pg_class WHERE relname ~ '^note_' AND relname <> 'note_log' AND relkind = 'r'`,
  );
  const [stored] = await rows<{ bytes: number }>('SELECT sum(octet_length(content))::float8 AS bytes FROM notes');
  expect(index!.tables).toBe(6);
  expect(stored!.bytes).toBeGreaterThan(1_500_000);
  expect(index!.bytes / stored!.bytes).toBeLessThan(MAX_INDEX_RATIO);
}, 120_000);

it('finds passages of characters outside of the basic plane', async () => {
  const beta = await hub.workspace();
  const paragraph = `${'🚀 '.repeat(200)}Everything is fine.`;
  await saveNote(
    beta,
    'ada@acme.com',
    [paragraph, paragraph, 'The zeppelin lands 🛬 tomorrow.', paragraph].join('\n\n'),
  );
  const { documents } = await searchNotes(beta, 'zeppelin');
  expect(documents[0]!.snippet).toMatch(/Everything is fine\.\n\nThe zeppelin lands 🛬 tomorrow\.$/);
});

it('bounds what a posting cannot hold, and leaves the postings of other notes alone', async () => {
  const head = { title: 'T', date: '2026-05-01' };
  const passages = Array.from({ length: 4100 }, () => 'zebra');
  const many = await toTermRows('n', head, passages);
  expect(Math.max(...many.map(({ position }) => position))).toBe(4095);
  const rowsOfLong = await toTermRows('n', head, ['zebra '.repeat(3000)]);
  const long = rowsOfLong.find(({ term }) => term === 'zebra');
  expect(long).toMatchObject({ count: 511, length: 2047 });
});
