import { account, record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { foundIds, saveNote, searchNotes, trySearch } from '../../support/graph/notes.js';
import type { SaveNoteResponse } from '#graph/notes/notes.presenter.js';

let hub: TestHub;
let acme: Client;
let renewal: SaveNoteResponse;
let leaving: SaveNoteResponse;
let security: SaveNoteResponse;
let long: SaveNoteResponse;

const filler = (n: number) => `Speaker ${n}: ${'we talked about the weather and the food and other things '.repeat(8)}`;

beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace();
  renewal = await saveNote(acme, 'ada@engine.co.uk', 'Ada confirms the renewal for two years.', { date: '2026-03-01' });
  leaving = await saveNote(acme, 'bob@other.com', 'They want to walk away at the end of term.', { type: 'transcript' });
  security = await saveNote(acme, 'cleo@third.com', 'Infosec sent a questionnaire about encryption.', {
    title: 'Security',
  });
  const turns = [...Array(12).keys()]
    .map(filler)
    .with(7, 'Ada: the procurement department of Zanzibar must countersign.');
  long = await saveNote(acme, 'ada@engine.co.uk', turns.join('\n'), { type: 'transcript', title: 'Long call' });
});
afterAll(() => hub.end());

describe('POST /v2/notes/search', () => {
  it('finds by words in any form, and shows the fields of a hit', async () => {
    const { documents, count, engine, scope } = await searchNotes(acme, 'Who renews?');
    expect(documents[0]).toEqual({
      id: renewal.id,
      entity_id: renewal.entity_id,
      type: 'note',
      source: 'agent',
      title: 'Ada confirms the renewal for two years.',
      date: '2026-03-01',
      similarity: expect.any(Number),
      snippet: 'Ada confirms the renewal for two years.',
    });
    expect({ count, engine, scope }).toEqual({ count: documents.length, engine: 'lexical', scope: 'workspace' });
  });

  it('finds by what words mean in sales, where none is shared', async () => {
    expect(await foundIds(acme, 'customers that cancel')).toContain(leaving.id);
  });

  it('finds by the title and by month and year', async () => {
    expect(await foundIds(acme, 'security')).toEqual([security.id]);
    expect(await foundIds(acme, 'march')).toEqual([renewal.id]);
  });

  it('finds in spite of typing errors', async () => {
    for (const question of ['renewel', 'encription', 'procurment', 'zanzibra']) {
      expect((await foundIds(acme, question)).length).toBeGreaterThan(0);
    }
    expect((await foundIds(acme, 'encription'))[0]).toBe(security.id);
  });

  it('shows the matching passage of a long document, which is a part of it', async () => {
    const { documents } = await searchNotes(acme, 'countersign in Zanzibar');
    expect(documents[0]!.id).toBe(long.id);
    expect(documents[0]!.snippet).toContain('Zanzibar must countersign');
    expect(documents[0]!.snippet.length).toBeLessThanOrEqual(400);
    expect(long.note.content).toContain(documents[0]!.snippet.replaceAll('…', ''));
  });

  it('gives every document once, by falling similarity between 0 and 1 with four decimals', async () => {
    const { documents } = await searchNotes(acme, 'Ada, renewal, weather, security, food, end of term', { limit: 20 });
    expect(new Set(documents.map(({ id }) => id)).size).toBe(documents.length);
    const similarities = documents.map(({ similarity }) => similarity);
    expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
    for (const value of similarities) {
      expect(value).toBeGreaterThan(0);
      expect(value).toBeLessThanOrEqual(1);
      expect(value).toBe(Number(value.toFixed(4)));
    }
  });

  it('has the newest first where notes are equally close, and the same order every time', async () => {
    const client = await hub.workspace();
    const dates = ['2026-02-01', '2026-03-01', '2026-01-01'];
    for (const date of dates) await saveNote(client, 'ada@acme.com', 'Kubernetes', { title: 'T', date });
    const { documents } = await searchNotes(client, 'kubernetes');
    expect(documents.map(({ date }) => date)).toEqual(dates.toSorted().toReversed());
    expect((await searchNotes(client, 'kubernetes')).documents).toEqual(documents);
  });

  it('leaves out documents that share nothing with the question', async () => {
    expect(await searchNotes(acme, 'xylophone quartz')).toMatchObject({ documents: [], count: 0 });
    expect(await searchNotes(await hub.workspace(), 'anything')).toMatchObject({ documents: [], count: 0 });
    expect((await searchNotes(acme, '???')).count).toBe(0);
  });

  it('lifts a passage whose neighbours also match', async () => {
    const client = await hub.workspace();
    const turn = (word: string) => `Ada: ${word} ${'lorem ipsum dolor '.repeat(40)}`;
    const apart = await saveNote(
      client,
      'a@a.com',
      [turn('kubernetes'), turn('x'), turn('y'), turn('postgres')].join('\n'),
      { title: 't' },
    );
    const close = await saveNote(
      client,
      'b@b.com',
      [turn('x'), turn('kubernetes'), turn('postgres'), turn('y')].join('\n'),
      { title: 't' },
    );
    expect(await foundIds(client, 'kubernetes postgres')).toEqual([close.id, apart.id]);
  });
});

describe('the focus of a search', () => {
  it.each(['ada@engine.co.uk', 'ADA@engine.co.uk', 'engine.co.uk'])('%s narrows it down', async focus => {
    const { documents, scope } = await searchNotes(acme, 'weather cancel encryption renewal', { focus });
    expect(new Set(documents.map(({ entity_id }) => entity_id))).toEqual(new Set([renewal.entity_id]));
    expect(scope).toBe('focus');
  });

  it('may be an id, and a name; of a name that several bear all are searched', async () => {
    expect((await searchNotes(acme, 'encryption', { focus: security.entity_id })).count).toBe(1);
    const client = await hub.workspace();
    for (const email of ['jo@x1.com', 'jo@x2.com', 'di@x3.com']) {
      await record(client, email, [state('name', email.startsWith('jo') ? 'Jo Smith' : 'Di Other')]);
      await saveNote(client, email, 'Kubernetes');
    }
    expect(await searchNotes(client, 'kubernetes', { focus: 'Jo Smith' })).toMatchObject({ count: 2, scope: 'focus' });
    expect((await searchNotes(client, 'kubernetes', { focus: 'Di Other' })).count).toBe(1);
  });

  it.each([
    'nobody@nowhere.com',
    'nowhere.com',
    'No Body',
    'broken@',
    '01941f60-1c55-7a10-8a1b-9b6f0c2d4e11',
    '',
    ' ',
    'x'.repeat(400),
  ])('"%s" names nobody: everybody is searched, and nobody is made', async focus => {
    expect(await searchNotes(acme, 'encryption', { focus })).toMatchObject({ count: 1, scope: 'workspace' });
    expect((await acme.get(`/v2/accounts/${encodeURIComponent(focus || 'nobody@nowhere.com')}`)).status).not.toBe(200);
  });

  it('does not change how close a document is', async () => {
    const [all] = (await searchNotes(acme, 'encryption')).documents;
    const [own] = (await searchNotes(acme, 'encryption', { focus: 'cleo@third.com' })).documents;
    expect(own).toEqual(all);
  });

  it('has nothing where the contact has no note', async () => {
    await record(acme, 'empty@nothing.com', [state('title', 'x')]);
    expect(await searchNotes(acme, 'encryption', { focus: 'empty@nothing.com' })).toMatchObject({
      count: 0,
      scope: 'focus',
    });
    expect((await account(acme, 'empty@nothing.com')).entity_id).toBeTruthy();
  });
});

describe('limits and refusals of a search', () => {
  it('gives 8 documents by default, at most 20, and clamps', async () => {
    const client = await hub.workspace();
    for (let n = 0; n < 25; n++) await saveNote(client, 'ada@acme.com', `Kubernetes ${n}`);
    expect((await searchNotes(client, 'kubernetes')).count).toBe(8);
    for (const limit of [20, 21, 1_000_000])
      expect((await searchNotes(client, 'kubernetes', { limit })).count).toBe(20);
    expect((await searchNotes(client, 'kubernetes', { limit: 1 })).count).toBe(1);
  });

  it.each([
    {},
    { question: '' },
    { question: ' \n' },
    { question: null },
    { question: 5 },
    { focus: 'ada@engine.co.uk' },
  ])('answers %j with "question required"', async body => {
    const answer = await trySearch(acme, body);
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 400, error: 'question required' });
  });

  it.each([
    { limit: 0 },
    { limit: -1 },
    { limit: 1.5 },
    { limit: '5' },
    { limit: null },
    { focus: 5 },
    { focus: null },
    { colour: 'red' },
    { question: 'x'.repeat(2001) },
  ])('refuses %j, naming the field', async more => {
    const { status, body } = await trySearch(acme, { question: 'renewal', ...more });
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_request' });
    expect([...new Set(body.details!.map(({ field }) => field))]).toEqual(Object.keys(more));
  });

  it('needs a key', async () => {
    const answer = await fetch(`${hub.url}/v2/notes/search`, { method: 'POST', body: '{}' });
    expect([answer.status, await answer.text()]).toEqual([401, '{"error":"unauthorized"}']);
  });
});
