import type { AmbiguousName } from '#graph/identity/entity-resolver.service.js';
import type { NotesListResponse } from '#graph/notes/notes-list.service.js';
import type { SaveNoteResponse, PresentedNote } from '#graph/notes/notes.presenter.js';
import { account, type ErrorBody, record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

let hub: TestHub;
let acme: Client;
const UNKNOWN = '01941f60-1c55-7a10-8a1b-9b6f0c2d4e11';

beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace();
});
afterAll(() => hub.end());

const save = (body: object, headers: Record<string, string> = {}, client = acme) =>
  client.post<SaveNoteResponse & ErrorBody & { valid_types?: string[] }>('/v2/notes', body, headers);
const list = (query = '', client = acme) =>
  client.get<NotesListResponse & AmbiguousName & ErrorBody>(`/v2/notes${query}`);

describe('POST /v2/notes', () => {
  it('keeps a note and says so in both shapes', async () => {
    const { status, body } = await save({
      focus: 'ada@engine.co.uk',
      type: 'meeting_notes',
      title: 'Renewal',
      content: 'Ada wants to renew.',
      date: '2026-03-04',
      participants: ['Grace'],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      type: 'meeting_notes',
      doc_type: 'meeting_notes',
      title: 'Renewal',
      date: '2026-03-04',
      chunks: 1,
      duplicate: false,
      conflict: false,
      entity_created: true,
      note: {
        id: body.id,
        entity_id: body.entity_id,
        content: 'Ada wants to renew.',
        source: 'agent',
        participants: ['Grace'],
      },
    });
    expect((await acme.get<PresentedNote>(`/v2/notes/${body.id}`)).body).toEqual(body.note);
  });

  it('makes a contact as a record call would, with the company of a work address', async () => {
    const { body } = await save({ focus: 'new@fabrikam.com', content: 'Met at the fair.' });
    const read = await account(acme, 'new@fabrikam.com');
    expect(read).toMatchObject({ entity_id: body.entity_id, entity: { company: { domain: 'fabrikam.com' } } });
    expect(read.claims['company']).toMatchObject({ value: 'fabrikam.com' });
  });

  it('records its statements on request, in the same transaction, as of its date, once', async () => {
    const note = {
      focus: 'lee@northwind.com',
      content: 'Lee is now CRO at Northwind. Is he leaving? The budget is 40k EUR.',
      date: '2026-03-04',
      source: 'recorder',
      external_id: 'call-1',
      extract: true,
    };
    const rehearsed = await save({ ...note, dry_run: true });
    expect(rehearsed.body).toMatchObject({ dry_run: true, extracted: { recorded: 3 } });
    const { status, body } = await save(note);
    expect({ status, ...body.extracted }).toMatchObject({ status: 201, recorded: 3, needs_review: [], llm: 'off' });
    expect(body.extracted!.claims_recomputed).toEqual(['budget', 'company', 'title']);
    const { claims, recent_observations } = await account(acme, 'lee@northwind.com');
    expect(claims['title']).toMatchObject({ value: 'CRO', epistemic_class: 'inferred', confidence: 0.55 });
    expect(claims['title']!.valid_from).toBe('2026-03-04T00:00:00.000000Z');
    expect(claims['company']!.value).toBe('Northwind');
    expect(recent_observations.map(({ property }) => property)).not.toContain('interaction.note');
    expect((await save(note)).body).toMatchObject({ duplicate: true, extracted: { recorded: 0, duplicates: 3 } });
    expect((await save({ ...note, content: 'Lee is now CEO at Northwind.' })).body).not.toHaveProperty('extracted');
    const nobody = await save({ focus: 'quiet@northwind.com', content: 'Hello.', extract: true });
    expect(nobody.body).toMatchObject({ entity_created: true, extracted: { recorded: 0, observations: [] } });
    expect((await account(acme, 'quiet@northwind.com')).claims['company']!.value).toBe('northwind.com');
  });

  it('keeps the content to the letter', async () => {
    const content = '  Zeile 1\r\n\r\n\tﬁn 🙂 “x” \n';
    const { body } = await save({ focus: 'ada@engine.co.uk', content });
    expect((await acme.get<PresentedNote>(`/v2/notes/${body.id}`)).body.content).toBe(content);
  });

  it('defaults to today, the type note and a title from the content', async () => {
    const { body } = await save({ focus: 'ada@engine.co.uk', content: '# Kick-off\nWe start.' });
    const [{ today } = { today: '' }] = (
      await hub.database.pool.query(`SELECT (now() AT TIME ZONE 'UTC')::date::text AS today`)
    ).rows as { today: string }[];
    expect(body).toMatchObject({ type: 'note', title: 'Kick-off', date: today });
  });

  it('cuts a title at 200 characters', async () => {
    const { body } = await save({ focus: 'ada@engine.co.uk', content: 'x', title: 'é'.repeat(300) });
    expect(body.title).toBe(`${'é'.repeat(199)}…`);
  });

  it.each([
    ['2026-03-04', '2026-03-04'],
    ['2026-03-04T23:30:00-05:00', '2026-03-04'],
    ['3 March 2026', '2026-03-03'],
    ['March 3rd, 2026', '2026-03-03'],
    ['04/03/2026', '2026-03-04'],
  ])('reads the date %s', async (date, day) => {
    expect((await save({ focus: 'ada@engine.co.uk', content: 'x', date })).body.date).toBe(day);
  });

  it('reads a date in words from today on', async () => {
    const sql = `SELECT ((now() AT TIME ZONE 'UTC')::date - 1)::text AS day`;
    const { day } = (await hub.database.pool.query<{ day: string }>(sql)).rows[0]!;
    expect((await save({ focus: 'ada@engine.co.uk', content: 'x', date: 'yesterday' })).body.date).toBe(day);
  });

  it('keeps one note per contact, source and external id', async () => {
    const note = { focus: 'grace@engine.co.uk', content: 'First', external_id: 'call-1', source: 'crm:hubspot' };
    const first = await save(note);
    const again = await save(note);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toMatchObject({ id: first.body.id, duplicate: true, conflict: false });
    const other = await save({ ...note, content: 'Second' });
    expect(other.body).toMatchObject({
      id: first.body.id,
      duplicate: true,
      conflict: true,
      note: { content: 'First' },
    });
    for (const change of [{ source: 'agent' }, { focus: 'ada@engine.co.uk' }, { external_id: 'call-2' }]) {
      expect((await save({ ...note, ...change })).status).toBe(201);
    }
  });

  it('answers an Idempotency-Key with the same note', async () => {
    const note = { focus: 'idem@engine.co.uk', content: 'Once' };
    const [first, again] = [
      await save(note, { 'idempotency-key': 'k1' }),
      await save(note, { 'idempotency-key': 'k1' }),
    ];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await list('?focus=idem@engine.co.uk')).body.count).toBe(1);
    expect((await save({ ...note, content: 'x' }, { 'idempotency-key': 'k1' })).body.error).toBe(
      'idempotency_conflict',
    );
  });

  it.each([
    ['no focus', { content: 'x' }, 'focus_and_content_required'],
    ['no content', { focus: 'ada@acme.com' }, 'focus_and_content_required'],
    ['blank content', { focus: 'ada@acme.com', content: ' \n' }, 'focus_and_content_required'],
    ['a bare name', { focus: 'Ada Lovelace', content: 'x' }, 'invalid_focus'],
    ['a broken address', { focus: 'ada@', content: 'x' }, 'invalid_focus'],
    ['an unknown type', { focus: 'ada@acme.com', content: 'x', type: 'memo' }, 'invalid_type'],
    ['a day that is none', { focus: 'ada@acme.com', content: 'x', date: '2026-02-30' }, 'invalid_date'],
    ['a month that is none', { focus: 'ada@acme.com', content: 'x', date: '2026-13-01' }, 'invalid_date'],
    ['words that name no day', { focus: 'ada@acme.com', content: 'x', date: 'when pigs fly' }, 'invalid_date'],
    ['a span of days', { focus: 'ada@acme.com', content: 'x', date: '3 March to 5 March' }, 'invalid_date'],
    ['content that is no text', { focus: 'ada@acme.com', content: 5 }, 'invalid_request'],
    ['a NUL', { focus: 'ada@acme.com', content: 'a\u0000b' }, 'invalid_request'],
    ['too long a note', { focus: 'ada@acme.com', content: 'x'.repeat(200_001) }, 'invalid_request'],
    ['a field that is none', { focus: 'ada@acme.com', content: 'x', colour: 'red' }, 'invalid_request'],
    ['a blank participant', { focus: 'ada@acme.com', content: 'x', participants: [' '] }, 'invalid_request'],
    [
      'a text that is too long to be read',
      { focus: 'a@acme.com', content: 'x '.repeat(30_000), extract: true },
      'invalid_request',
    ],
    ['a blank source', { focus: 'ada@acme.com', content: 'x', source: ' ' }, 'invalid_request'],
    ['an empty external id', { focus: 'ada@acme.com', content: 'x', external_id: '' }, 'invalid_request'],
    [
      'too many participants',
      { focus: 'ada@acme.com', content: 'x', participants: Array(101).fill('a') },
      'invalid_request',
    ],
  ])('refuses %s', async (_, body, error) => {
    const before = await list();
    const answer = await save(body);
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 400, error });
    expect(answer.body.detail).toEqual(expect.any(String));
    expect((await list()).body.notes[0]).toEqual(before.body.notes[0]);
  });

  it('lists the valid types, and returns 404 for an ID of another workspace', async () => {
    const unknown = await save({ focus: 'ada@acme.com', content: 'x', type: 'memo' });
    expect(unknown.body.valid_types).toContain('transcript');
    expect((await save({ focus: UNKNOWN, content: 'x' })).body.error).toBe('entity_not_found');
  });
});

describe('GET /v2/notes', () => {
  let client: Client;

  beforeAll(async () => {
    client = await hub.workspace();
    for (let day = 1; day <= 5; day++) {
      await save(
        { focus: 'ada@acme.com', content: `Day ${day}`, date: `2026-01-0${day}`, type: day % 2 ? 'note' : 'research' },
        {},
        client,
      );
    }
    await save(
      { focus: 'acme.com', content: `About the company. ${'word '.repeat(200)}`, date: '2025-01-01' },
      {},
      client,
    );
    await save({ focus: 'bob@other.com', content: 'Other', date: '2026-02-01' }, {}, client);
  });

  it('lists the newest first, of one contact, of a company with its people, of everybody', async () => {
    const dates = async (query: string) => (await list(query, client)).body.notes.map(({ date }) => date.slice(2));
    expect(await dates('?focus=ada@acme.com')).toEqual(['26-01-05', '26-01-04', '26-01-03', '26-01-02', '26-01-01']);
    expect(await dates('?focus=acme.com')).toEqual([
      '26-01-05',
      '26-01-04',
      '26-01-03',
      '26-01-02',
      '26-01-01',
      '25-01-01',
    ]);
    expect((await dates(''))[0]).toBe('26-02-01');
    expect(await dates('?type=research')).toEqual(['26-01-04', '26-01-02']);
  });

  it('shows how a note begins, in 280 characters', async () => {
    const { body } = await list('?focus=acme.com&limit=6', client);
    expect(body.notes.at(-1)!.snippet).toMatch(/^About the company\. word.*…$/);
    expect(body.notes.at(-1)!.snippet.length).toBeLessThanOrEqual(280);
  });

  it('goes through all of them page by page, by cursor and by offset', async () => {
    const all = (await list('', client)).body.notes.map(({ id }) => id);
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: NotesListResponse } = await list(`?limit=2${cursor && `&cursor=${cursor}`}`, client);
      expect(body.limit).toBe(2);
      expect(body.has_more).toBe(body.next_cursor !== null);
      paged.push(...body.notes.map(({ id }) => id));
      cursor = body.next_cursor;
    }
    expect(paged).toEqual(all);
    expect((await list('?limit=2&offset=3', client)).body.notes.map(({ id }) => id)).toEqual(all.slice(3, 5));
    expect((await list('?limit=1000', client)).body.limit).toBe(100);
  });

  it('lists the candidates of a name that several bear', async () => {
    await record(client, 'a1@x1.com', [state('name', 'Jo Smith')]);
    await record(client, 'a2@x2.com', [state('name', 'Jo Smith')]);
    expect((await list('?focus=Jo%20Smith', client)).body).toMatchObject({ status: 'ambiguous', count: 2 });
  });

  it.each([
    ['?limit=0', 400, 'invalid_request'],
    ['?limit=1.5', 400, 'invalid_request'],
    ['?offset=-1', 400, 'invalid_request'],
    ['?type=memo', 400, 'invalid_type'],
    ['?cursor=nonsense', 400, 'cursor_mismatch'],
    ['?colour=red', 400, 'unknown_query_param'],
    ['?focus=nobody@nowhere.com', 404, 'entity_not_found'],
    [`/${UNKNOWN}`, 404, 'not_found'],
    ['/nonsense', 404, 'not_found'],
  ])('answers %s with %i', async (query, status, error) => {
    const answer = await list(query, client);
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status, error });
  });

  it('does not take the cursor of another list', async () => {
    const { next_cursor } = (await list('?limit=1', client)).body;
    expect((await list(`?limit=1&focus=ada@acme.com&cursor=${next_cursor}`, client)).body.error).toBe(
      'cursor_mismatch',
    );
  });
});
