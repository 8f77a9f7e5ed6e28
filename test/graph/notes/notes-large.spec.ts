import { type FakeEmbedder, fakeEmbedder } from '../../fakes/fake-embedder.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { foundIds, saveNote, searchNotes } from '../../support/graph/notes.js';
import { until } from '../../support/until.js';

/** The embedded PostgreSQL of the other lane has no pgvector: only the services lane can show this. */
const describeWithVectors = process.env['RAPPORT_TEST_LANE'] === 'services' ? describe : describe.skip;

const DIMS = 16;
const NOTES = 2100;
const PASSAGES = 10;

/** A direction for each text, the same every time. */
function direction(text: string): number[] {
  let state = [...text].reduce((hash, char) => (Math.imul(hash, 31) + char.codePointAt(0)!) >>> 0, 7);
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 31 - 1;
  return Array.from({ length: DIMS }, next);
}

describeWithVectors('a workspace of more passages than are compared one by one', () => {
  let embedder: FakeEmbedder;
  let hub: TestHub;
  let acme: Client;

  const rows = async <Row extends object>(sql: string, values: unknown[] = []) =>
    (await hub.database.pool.query<Row>(sql, values)).rows;
  const index = async () => {
    const sql = `SELECT relname AS name, pg_stat_get_numscans(oid)::int AS scans FROM pg_class JOIN pg_index ON oid = indexrelid
                 WHERE indrelid = 'note_vectors'::regclass AND indisvalid AND NOT indisunique`;
    return rows<{ name: string; scans: number }>(sql);
  };

  beforeAll(async () => {
    embedder = await fakeEmbedder(direction);
    hub = await startTestHub({ EMBEDDINGS_URL: embedder.url, EMBEDDINGS_MODEL: 'm1' });
    acme = await hub.workspace();
    const { entity_id } = await saveNote(acme, 'ada@acme.com', 'First.');
    const made = `(SELECT md5(n::text)::uuid AS id FROM generate_series(1, ${NOTES}) AS n) AS note`;
    const places = `${made}, generate_series(0, ${PASSAGES - 1}) AS position`;
    const about = [acme.workspaceId];
    await rows(
      `INSERT INTO notes (workspace_id, id, entity_id, type, title, date, content, source, participants, passages)
       SELECT $1, id, $2, 'note', 'T', '2026-01-01', 'C', 'agent', '[]', ${PASSAGES} FROM ${made}`,
      [...about, entity_id],
    );
    await rows(`INSERT INTO note_chunks SELECT $1, id, position, 0, 1 FROM ${places}`, about);
    const chance = `(SELECT array_agg(random() - 0.5) FROM generate_series(1, ${DIMS}) WHERE position >= 0)`;
    await rows('SELECT setseed(0.5)');
    await rows(
      `INSERT INTO note_vectors SELECT $1, 'm1/${DIMS}', id, position, ${chance}::real[]::vector FROM ${places}`,
      about,
    );
    await rows('UPDATE note_statistics SET passages = passages + $2 WHERE workspace_id = $1', [
      ...about,
      NOTES * PASSAGES,
    ]);
    await rows('ANALYZE note_vectors');
    await saveNote(acme, 'ada@acme.com', 'Another one.');
    await until('index', async () => (await index()).length === 1);
  }, 120_000);
  afterAll(async () => {
    await hub.end();
    await embedder.close();
  });

  it('gets an index of its own, by which a search finds the nearest notes', async () => {
    const questions = Array.from({ length: 20 }, (_, n) => `qzx${n} wqj${n}`);
    let found = 0;
    for (const question of questions) {
      const exact = await rows<{ id: string }>(
        `SELECT note_id AS id FROM note_vectors WHERE workspace_id = $1
         GROUP BY note_id ORDER BY min(embedding <=> $2::vector) LIMIT 10`,
        [acme.workspaceId, JSON.stringify(direction(question))],
      );
      const ours = new Set(await foundIds(acme, question, { limit: 10 }));
      found += exact.filter(({ id }) => ours.has(id)).length;
    }
    expect(found / (questions.length * 10)).toBeGreaterThanOrEqual(0.95);
    await until('scans', async () => (await index())[0]!.scans > 0);
  });

  it('shows nothing of it to another workspace', async () => {
    expect((await searchNotes(await hub.workspace(), 'qzx1 wqj1')).count).toBe(0);
  });

  it('compares every passage where a focus is given', async () => {
    expect((await searchNotes(acme, 'qzx1 wqj1', { focus: 'ada@acme.com', limit: 20 })).count).toBe(20);
  });
});
