import { account, tryAccount } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { saveNote } from '../../support/graph/notes.js';

let hub: TestHub;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace();
  for (let day = 10; day < 34; day++) {
    const date = new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
    await saveNote(acme, 'ada@acme.com', `Day ${day}. ${'word '.repeat(100)}`, { date });
  }
});
afterAll(() => hub.end());

describe('the notes of an account', () => {
  it('are the newest twenty whole, and eight as they begin', async () => {
    const { notes, documents } = await account(acme, 'ada@acme.com');
    expect(notes.map(({ date }) => date)).toEqual(
      notes
        .map(({ date }) => date)
        .toSorted()
        .toReversed(),
    );
    expect(notes).toHaveLength(20);
    expect(notes[0]!.content).toBe(`Day 33. ${'word '.repeat(100)}`);
    expect(documents.map(({ id }) => id)).toEqual(notes.slice(0, 8).map(({ id }) => id));
    for (const { snippet } of documents) expect(snippet).toMatch(/^Day \d\d\. word.{100,190}…$/);
  });

  it('go with the entity that the others were merged into', async () => {
    const note = await saveNote(acme, 'twin@gmail.com', 'Of the other', { date: '2026-06-01' });
    const merged = await acme.post('/v2/entities/merge', { a: 'ada@acme.com', b: 'twin@gmail.com' });
    expect(merged.status).toBeLessThan(300);
    const { notes, entity_id } = await account(acme, 'twin@gmail.com');
    expect(notes[0]).toMatchObject({ id: note.id, entity_id });
    expect(notes[1]!.content).toMatch(/^Day 33/);
  });

  it('are those of the requested time', async () => {
    const { notes } = await account(acme, 'ada@acme.com', { as_of: '2026-01-12T09:00:00Z' });
    expect(notes.map(({ date }) => date)).toEqual(['2026-01-12', '2026-01-11', '2026-01-10']);
    expect((await account(acme, 'ada@acme.com', { known_at: '2026-01-12' })).notes).toEqual([]);
  });

  it('stay small enough for a response', async () => {
    const text = 'word '.repeat(30_000);
    for (const n of [1, 2, 3, 4]) await saveNote(acme, 'long@acme.com', `${n} ${text}`, { title: `${n}` });
    const { status, body } = await tryAccount(acme, 'long@acme.com');
    expect(status).toBe(200);
    expect(body.notes.map(({ title }) => title)).toEqual(['4', '3']);
    expect(body.documents).toHaveLength(4);
  });
});
