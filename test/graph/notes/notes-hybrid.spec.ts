import { createLogger } from '#kernel/telemetry/logger.js';
import { createWorkspace } from '#kernel/workspaces/workspaces.repository.js';
import { startHub } from '../../../src/hub.js';
import { freshDatabase } from '../../support/database/database.js';
import { type FakeEmbedder, fakeEmbedder, vectorOf } from '../../fakes/fake-embedder.js';
import { type Client, clientOf, startTestHub, testEnv, type TestHub } from '../../support/hub.js';
import { foundIds, saveNote, searchNotes } from '../../support/graph/notes.js';
import { rapportHere } from '../../support/process/rapport-command.js';
import { until } from '../../support/until.js';

/** The embedded PostgreSQL of the other lane has no pgvector: only the services lane can show this. */
const describeWithVectors = process.env['RAPPORT_TEST_LANE'] === 'services' ? describe : describe.skip;

describeWithVectors('with an embedder, notes search', () => {
  let embedder: FakeEmbedder;
  let hub: TestHub;
  let acme: Client;
  let cat: string;

  const vectors = async (workspaceId: string, of = 'm1/4') => {
    const sql = 'SELECT 1 FROM note_vectors WHERE workspace_id = $1 AND embedder = $2';
    return (await hub.database.pool.query(sql, [workspaceId, of])).rowCount;
  };

  beforeAll(async () => {
    embedder = await fakeEmbedder();
    const settings = { EMBEDDINGS_URL: embedder.url, EMBEDDINGS_MODEL: 'm1', EMBEDDINGS_API_KEY: 'secret' };
    hub = await startTestHub(settings);
    acme = await hub.workspace();
    cat = (await saveNote(acme, 'ada@acme.com', 'Ada has a feline at home.')).id;
    await saveNote(acme, 'bob@acme.com', 'Bob has a canine.');
    await until('vectors', async () => (await vectors(acme.workspaceId)) === 2);
  });
  afterAll(async () => {
    await hub.end();
    await embedder.close();
  });

  it('finds what is meant where no word is shared, and says how', async () => {
    const { documents, engine } = await searchNotes(acme, 'kitten');
    expect(engine).toBe('hybrid');
    expect(documents[0]).toMatchObject({ id: cat, snippet: 'Ada has a feline at home.' });
    expect(documents[0]!.similarity).toBeGreaterThan(documents[1]!.similarity);
    expect(embedder.asked[0]).toEqual({ model: 'm1', authorization: 'Bearer secret' });
    expect(embedder.seen.some(text => text.includes('Ada has a feline'))).toBe(true);
  });

  it('keeps to the focus and to the workspace', async () => {
    expect(await foundIds(acme, 'kitten', { focus: 'bob@acme.com' })).not.toContain(cat);
    expect((await searchNotes(await hub.workspace(), 'kitten')).count).toBe(0);
  });

  it('asks for the vectors of the note that was saved, and leaves others in peace', async () => {
    const lost = 'DELETE FROM note_vectors WHERE workspace_id = $1 AND note_id = $2';
    await hub.database.pool.query(lost, [acme.workspaceId, cat]);
    const [all, before] = [await vectors(acme.workspaceId), embedder.seen.length];
    await saveNote(acme, 'ada@acme.com', 'One more about a puppy.');
    await until('vectors', async () => (await vectors(acme.workspaceId)) === all! + 1);
    expect(embedder.seen.slice(before)).toEqual([expect.stringContaining('One more about a puppy.')]);
  });

  it('is rebuilt by admin reindex-notes: the missing entries, or all of them', async () => {
    const { workspaceId } = acme;
    const settings = { DATABASE_URL: hub.database.url, EMBEDDINGS_URL: embedder.url, EMBEDDINGS_MODEL: 'm1' };
    const reindex = async (...words: string[]) => {
      const command = ['admin', 'reindex-notes', '--workspace', workspaceId, '--json', ...words];
      const { code, out, err } = await rapportHere(command, settings);
      expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('secret') });
      return (JSON.parse(out) as { reindexed: { vectors: number }[] }).reindexed[0]!.vectors;
    };
    const all = (await vectors(workspaceId))! + 1;
    expect(await reindex('--dry-run')).toBe(1);
    expect(await vectors(workspaceId)).toBe(all - 1);
    expect(await reindex()).toBe(1);
    expect(await reindex()).toBe(0);
    const passages = () => embedder.seen.filter(text => text !== 'length').length;
    const before = passages();
    expect(await reindex('--vectors', '--dry-run')).toBe(all);
    expect(passages()).toBe(before);
    expect(await reindex('--vectors')).toBe(all);
    expect(passages()).toBe(before + all);
    expect(await vectors(workspaceId)).toBe(all);
  });

  // The last one: the job that catches up may see once more what an event has seen to.
  it('goes on by words while the embedder is down, says so, and catches up', async () => {
    const before = (await vectors(acme.workspaceId))!;
    embedder.down = true;
    const moon = await saveNote(acme, 'ada@acme.com', 'A lunar landing.');
    expect(await searchNotes(acme, 'landing')).toMatchObject({
      engine: 'lexical',
      fallback: 'embedder_unavailable',
      documents: [{ id: moon.id }],
    });
    embedder.down = false;
    await saveNote(acme, 'ada@acme.com', 'Another note.');
    await until('vectors', async () => (await vectors(acme.workspaceId)) === before + 2);
    expect((await foundIds(acme, 'moon'))[0]).toBe(moon.id);
  });
});

describeWithVectors('the vectors of notes', () => {
  it('are made for older notes at the start, and again for another model', async () => {
    const embedder = await fakeEmbedder();
    const database = await freshDatabase();
    const start = (model: string) =>
      startHub(
        testEnv(database.url, model ? { EMBEDDINGS_URL: embedder.url, EMBEDDINGS_MODEL: model } : {}),
        createLogger('silent'),
      );
    let hub = await start('');
    const { workspace, key } = await createWorkspace(hub.database.work, { name: 'Acme', plan: 'scale' });
    const note = await saveNote(clientOf(hub.url, key), 'ada@acme.com', 'A feline.');
    for (const model of ['m1', 'm2']) {
      await hub.close();
      hub = await start(model);
      await until(model, async () => {
        const sql = 'SELECT DISTINCT embedder FROM note_vectors WHERE workspace_id = $1';
        const { rows } = await hub.database.pool.query<{ embedder: string }>(sql, [workspace.id]);
        return rows.length === 1 && rows[0]!.embedder === `${model}/4`;
      });
      expect(await foundIds(clientOf(hub.url, key), 'kitten')).toEqual([note.id]);
    }
    await hub.close();
    await database.drop();
    await embedder.close();
  });

  it('of another length under the same name are ignored: the search is by words until they are made again', async () => {
    let more: number[] = [];
    const embedder = await fakeEmbedder(text => [...vectorOf(text), ...more]);
    const hub = await startTestHub({ EMBEDDINGS_URL: embedder.url, EMBEDDINGS_MODEL: 'm1' });
    const acme = await hub.workspace();
    const stored = async () => {
      const sql = 'SELECT embedder FROM note_vectors WHERE workspace_id = $1 ORDER BY 1';
      const { rows } = await hub.database.pool.query<{ embedder: string }>(sql, [acme.workspaceId]);
      return rows.map(row => row.embedder).join(' ');
    };
    const cat = await saveNote(acme, 'ada@acme.com', 'A feline.');
    await saveNote(acme, 'ada@acme.com', 'A canine.');
    await until('vectors', async () => (await stored()) === 'm1/4 m1/4');

    more = [0.1];
    const found = await searchNotes(acme, 'canine');
    expect(found).toMatchObject({ engine: 'lexical', fallback: 'vectors_missing', count: 1 });
    await until('vectors anew', async () => (await stored()) === 'm1/5 m1/5');
    expect(await searchNotes(acme, 'kitten')).toMatchObject({ engine: 'hybrid', documents: [{ id: cat.id }, {}] });

    more = [0.1, 0.1];
    await saveNote(acme, 'ada@acme.com', 'The moon.');
    await until('vectors anew', async () => (await stored()) === 'm1/6 m1/6 m1/6');
    await hub.end();
    await embedder.close();
  });
});

(process.env['RAPPORT_TEST_LANE'] === 'services' ? it.skip : it)(
  'without pgvector the start is refused in one sentence',
  async () => {
    const settings = { EMBEDDINGS_URL: 'http://127.0.0.1:9/v1', EMBEDDINGS_MODEL: 'm' };
    await expect(startTestHub(settings)).rejects.toThrow(/this PostgreSQL has no pgvector: install it/);
  },
);
