import { PluginStore } from '#plugin-host/store/plugin-store.js';
import { scanDatabase } from '../../support/database/scan.js';
import { eraseWholly, finishErasure, tryErase } from '../../support/graph/erasure-calls.js';
import { expectClaimsConsistent } from '../../support/graph/expect-claims-consistent.js';
import { account, event, record, state, tryAccount, tryRecord } from '../../support/graph/graph-calls.js';
import { merge } from '../../support/graph/merge-calls.js';
import { hubForSuite } from '../../support/hub-for-suite.js';
import type { Client, TestHub } from '../../support/hub.js';
import { until } from '../../support/until.js';

let hub: TestHub;
let acme: Client;

hubForSuite(
  made => (acme = made),
  started => (hub = started),
);
afterEach(() => expectClaimsConsistent(hub.database.pool, acme.workspaceId));

const on = (day: string) => ({ observed_at: `2026-${day}T00:00:00Z` });

/** Texts of one person, which no test of another one uses. */
function personCalled(word: string) {
  const digits = String(word.charCodeAt(word.length - 1)).padStart(4, '0');
  return {
    email: `ada.${word}@acme.com`,
    privateEmail: `ada${word}@gmail.com`,
    profile: `linkedin.com/in/ada-${word}`,
    name: `Adalia ${word[0]!.toUpperCase()}${word.slice(1)}`,
    phone: `+49 151 2345 ${digits}`,
    texts: [`ada.${word}@acme.com`, `ada${word}@gmail.com`, `ada-${word}`, `adalia ${word}`, `2345 ${digits}`, word],
  };
}

/** Records everything that the hub can hold about a person, and about others who mention them. */
async function recordEverything(ada: ReturnType<typeof personCalled>) {
  const key = { 'idempotency-key': `create-${ada.email}` };
  const created = await acme.post<{ entity_id: string }>(
    '/v2/people',
    { email: ada.email, name: ada.name, title: 'CTO', phone: ada.phone, linkedin_url: ada.profile },
    key,
  );
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  const id = created.body.entity_id;
  await tryRecord(
    acme,
    ada.email,
    [
      state('title', 'CRO', { raw: { from: ada.email, name: ada.name } }),
      state('email', ada.privateEmail),
      event('email_sent', {
        value: { to: ada.email, subject: 'Hi' },
        external_id: `mail:${ada.email}`,
        ...on('03-01'),
      }),
      event('unsubscribed', { value: { by: ada.name }, ...on('03-02') }),
    ],
    { 'idempotency-key': 'second' },
  );
  await acme.post('/v2/notes', { focus: ada.email, content: `${ada.name} likes tea.`, title: `Call with ${ada.name}` });
  const bob = await record(acme, 'bob@acme.com', [
    state('title', 'Engineer'),
    state('champion', { name: ada.name, email: ada.email }),
    state('intent', 'evaluating'),
    event('meeting_held', {
      value: {
        attendees: [
          { email: ada.email, name: 'Adalia' },
          { email: 'bob@acme.com', name: 'Bob' },
        ],
      },
      external_id: `meet:${ada.email}`,
      raw: { organizer: ada.email, place: 'Berlin' },
      ...on('03-03'),
    }),
  ]);
  const note = await acme.post<{ id: string }>('/v2/notes', {
    focus: 'acme.com',
    content: `Met ${ada.name} (${ada.email}, ${ada.phone}) and Bob. They renew in June.`,
    participants: [ada.name, 'Bob'],
  });
  await acme.post('/v2/lead-lists/attach', {
    name: 'Spring',
    rows: [
      { email: ada.email, name: ada.name, remark: ada.name },
      { email: 'bob@acme.com', referred_by: ada.email },
    ],
  });
  await acme.post('/v2/workspace/facts', { section: 'pricing', content: { contact: ada.email, price: 10 } });
  const filter = JSON.stringify({ title: { $contains: ada.name } });
  for (const name of [ada.name, ada.email])
    await acme.post('/v2/workspace/views', {
      resource: 'people',
      name: `For ${name}`,
      query: { search: name, filter },
    });
  return { id, bobId: bob.entity_id, noteId: note.body.id };
}

const traces = async ({ texts }: ReturnType<typeof personCalled>) =>
  scanDatabase(async <Row>(sql: string) => (await hub.database.pool.query(sql)).rows as Row[], texts);

describe('an erased person', () => {
  it('removes the person from every table and column, while others keep their statements', async () => {
    const ada = personCalled('lovelacea');
    const { id, bobId, noteId } = await recordEverything(ada);
    const acmeBefore = await account(acme, 'acme.com');
    const titleBefore = (await account(acme, bobId)).claims['title'];
    expect((await traces(ada)).map(({ table }) => table)).toEqual(
      expect.arrayContaining(['public.observation_log', 'public.claims', 'public.identifiers', 'public.note_words']),
    );
    const plan = await tryErase(acme, ada.email, { dry_run: true });
    expect(plan).toMatchObject({ status: 200, body: { id: null, state: 'planned', dry_run: true, entity_id: id } });
    expect(plan.body.counts).toMatchObject({ identifiers: 4, notes_deleted: 1, leads_cleared: 1, notes_redacted: 1 });
    expect((await tryAccount(acme, ada.email)).status).toBe(200);

    const done = await eraseWholly(hub, acme, ada.email);

    expect(await traces(ada)).toEqual([]);
    expect(done).toMatchObject({ entity_id: id, merged_ids: [], suppressed: true, actor: { kind: 'key' } });
    expect(done.counts).toMatchObject({ identifiers: 4, notes_deleted: 1, leads_cleared: 1, notes_redacted: 1 });
    expect(await tryAccount(acme, id)).toMatchObject({ status: 410, body: { error: 'entity_erased' } });
    expect(await tryAccount(acme, ada.email)).toMatchObject({ status: 404, body: { error: 'entity_not_found' } });
    const bob = await account(acme, bobId);
    expect(bob.claims['title']).toEqual(titleBefore);
    expect(bob.claims['champion']!.value).toEqual({ name: '[erased]', email: '[erased]' });
    const meeting = bob.recent_observations.find(({ property }) => property === 'interaction.meeting_held')!;
    expect(meeting.value).toEqual({
      attendees: [
        { email: '[erased]', name: '[erased]' },
        { email: 'bob@acme.com', name: 'Bob' },
      ],
    });
    const note = await acme.get<{ content: string }>(`/v2/notes/${noteId}`);
    expect(note.body).toMatchObject({ content: expect.stringContaining('Met [erased] ([erased], [erased]) and Bob.') });
    const found = await acme.post<{ documents: object[] }>('/v2/notes/search', { question: 'who renews in June?' });
    expect(found.body.documents).toHaveLength(1);
    const acmeAfter = await account(acme, 'acme.com');
    expect(acmeAfter.recent_observations).toHaveLength(acmeBefore.recent_observations.length);
    expect(acmeAfter.claims).toEqual(acmeBefore.claims);
    const { body } = await acme.get<{ views: { name: string; query: object }[] }>('/v2/workspace/views');
    expect(body.views.map(({ name }) => name)).toEqual([
      expect.stringContaining('For [erased] '),
      expect.stringContaining('For [erased] '),
    ]);
    const filter = '{"title":{"$contains":"[erased]"}}';
    expect(body.views.map(({ query }) => query)).toEqual([
      { search: '[erased]', filter },
      { search: '[erased]', filter },
    ]);
    const leads = await acme.get<{ leads: { entity_id: string; email: string | null }[] }>('/v2/leads');
    expect(leads.body.leads.map(lead => [lead.entity_id, lead.email]).toSorted()).toEqual(
      [
        [id, null],
        [bobId, 'bob@acme.com'],
      ].toSorted(),
    );
  });

  it('leaves what plugins, webhooks, events and jobs hold', async () => {
    const ada = personCalled('lovelaceb');
    const { id } = await recordEverything(ada);
    const store = hub.app.get(PluginStore, { strict: false });
    const owner = { workspaceId: acme.workspaceId, plugin: 'triggers', connectionId: null };
    await store.write(owner, [
      { key: 'log:one', value: { entity_id: id, body: '{"title":"CTO"}' } },
      { key: `todo:${ada.email}`, value: true },
      { key: 'log:two', value: { entity_id: 'other', body: JSON.stringify({ cc: ada.email, title: 'CFO' }) } },
      { key: 'log:three', value: { entity_id: 'other', body: 'unrelated' } },
    ]);
    const { pool } = hub.database;
    const values = [acme.workspaceId, id];
    // The events of her own records would be counted too.
    await until('her events have been delivered', async () => {
      const { rows } = await pool.query(
        'SELECT 1 FROM outbox WHERE workspace_id = $1 AND strpos(events::text, $2) > 0',
        values,
      );
      return rows.length === 0;
    });
    await pool.query(
      `INSERT INTO inbound_events (workspace_id, id, connection_id, plugin, name, event_id, headers, body)
       VALUES ($1, gen_random_uuid(), $2, 'x', 'x', $3, '{}', convert_to($4, 'UTF8'))`,
      [...values, `booking ${ada.email}`, `{"who":"${ada.email.replace('@', String.raw`\u0040`)}"}`],
    );
    await pool.query(
      `INSERT INTO plugin_jobs (workspace_id, id, plugin, kind, name, payload, state) VALUES
       ($1, gen_random_uuid(), 'x', 'event', 'x', $2, 'held'), ($1, gen_random_uuid(), 'x', 'job', 'x', $3, 'held')`,
      [acme.workspaceId, JSON.stringify([{ entity_id: id }, { entity_id: 'b' }]), JSON.stringify({ email: ada.email })],
    );
    await pool.query(
      `WITH run AS (
         INSERT INTO plugin_runs (workspace_id, id, plugin, name, input, state, result, message, error, dedupe_key)
         VALUES ($1, gen_random_uuid(), 'x', 'x', $2, $2, $2, $3, $3, $3) RETURNING id)
       INSERT INTO plugin_run_reports (workspace_id, run_id, step, position, at, field, error, cells)
       SELECT $1, id, 1, position, '7', 'email', $3, ARRAY[$3, '=1+1'] FROM run, generate_series(0, 1) AS position`,
      [acme.workspaceId, JSON.stringify({ next: ada.email, page: 2 }), `no mailbox ${ada.email}`],
    );
    await pool.query(
      `INSERT INTO outbox (workspace_id, id, events, event_count, published_at, failed_at, last_error)
       VALUES ($1, gen_random_uuid(), $2, 2, now(), now(), $3)`,
      [
        acme.workspaceId,
        JSON.stringify([
          { id: 'a', type: 'x', payload: { name: ada.name } },
          { id: 'b', type: 'x', payload: { entity_id: 'b' } },
        ]),
        `no mailbox ${ada.email}`,
      ],
    );

    const { counts } = await eraseWholly(hub, acme, id);

    expect(await traces(ada)).toEqual([]);
    expect(counts).toMatchObject({ plugin_values: 3, webhooks: 1, plugin_jobs: 2, outgoing_events: 1 });
    expect(counts).toMatchObject({ runs_redacted: 1, reported_rows_redacted: 2 });
    const runs = await pool.query(
      `SELECT input, state, message, dedupe_key, cells FROM plugin_runs AS run
       JOIN plugin_run_reports AS row ON row.run_id = run.id WHERE run.workspace_id = $1`,
      [acme.workspaceId],
    );
    const redacted = { next: '[erased]', page: 2 };
    const message = 'no mailbox [erased]';
    const run = { input: redacted, state: redacted, message, dedupe_key: null, cells: [message, '=1+1'] };
    expect(runs.rows).toEqual([run, run]);
    const left = await store.getMany(owner, ['log:one', `todo:${ada.email}`, 'log:two', 'log:three']);
    expect(Object.fromEntries(left)).toEqual({
      'log:two': { entity_id: 'other', body: '{"cc":"[erased]","title":"CFO"}' },
      'log:three': { entity_id: 'other', body: 'unrelated' },
    });
    const jobs = await pool.query('SELECT payload FROM plugin_jobs WHERE workspace_id = $1 AND plugin = $2', [
      acme.workspaceId,
      'x',
    ]);
    expect(jobs.rows).toEqual([{ payload: [{ entity_id: 'b' }] }]);
    const events = await pool.query(
      'SELECT events, event_count FROM outbox WHERE workspace_id = $1 AND failed_at IS NOT NULL',
      [acme.workspaceId],
    );
    expect(events.rows).toEqual([{ events: [{ id: 'b', type: 'x', payload: { entity_id: 'b' } }], event_count: 1 }]);
  });

  it('leaves under every ID that was merged', async () => {
    const ada = personCalled('lovelacec');
    const one = await record(acme, ada.email, [state('title', 'CTO', on('01-01'))]);
    const two = await record(acme, ada.profile, [state('name', ada.name), event('call_held', on('02-01'))]);
    await merge(acme, ada.email, ada.profile);
    const { entity_id, merged_ids } = await eraseWholly(hub, acme, two.entity_id);
    expect({ entity_id, merged_ids }).toEqual({ entity_id: one.entity_id, merged_ids: [two.entity_id] });
    expect(await traces(ada)).toEqual([]);
    for (const id of [one.entity_id, two.entity_id]) {
      expect((await tryAccount(acme, id)).status).toBe(410);
      expect((await acme.get<{ entity_id: string }>(`/v2/people/${id}/erase`)).body.entity_id).toBe(one.entity_id);
    }
  });

  it('is in no list', async () => {
    const { entity_id } = await record(acme, 'ada.lovelaced@acme.com', [
      state('title', 'CTO'),
      event('call_held', on('01-01')),
    ]);
    await eraseWholly(hub, acme, entity_id);
    const people = await acme.get<{ people: object[] }>('/v2/people');
    expect(people.body.people).toEqual([]);
    const attention = await acme.get('/v2/attention');
    expect(JSON.stringify(attention.body)).not.toContain(entity_id);
  });

  it('leaves a person with the same name, and a shared mailbox, as they are', async () => {
    const ada = await record(acme, 'ada.lovelacee@acme.com', [
      state('name', 'Adalia Twain'),
      state('email', 'info@acme.com'),
    ]);
    const other = await record(acme, 'at@globex.com', [state('name', 'Adalia Twain'), state('title', 'CEO')]);
    const before = await account(acme, other.entity_id);
    await record(acme, 'bob@acme.com', [state('assistant', 'Adalia Twain'), state('desk', 'info@acme.com')]);
    await eraseWholly(hub, acme, ada.entity_id);
    expect((await account(acme, other.entity_id)).claims).toEqual(before.claims);
    const bob = await account(acme, 'bob@acme.com');
    expect(bob.claims['assistant']!.value).toBe('Adalia Twain');
    expect(bob.claims['desk']!.value).toBe('info@acme.com');
    expect((await tryRecord(acme, 'info@acme.com', [state('note', 'x')])).status).toBe(200);
  });

  it('deletes a statement about another that is nothing but the identifier', async () => {
    const ada = await record(acme, 'ada.lovelacef@acme.com', [state('name', 'Adalia Lovelacef')]);
    await record(acme, 'linkedin.com/in/bob', [state('name', 'Bob'), state('manager_email', 'ada.lovelacef@acme.com')]);
    await record(acme, 'bob@globex.com', [state('title', 'CEO')]);
    await record(acme, 'globex.com', [state('phone', '+1 415 555 0100'), state('contact', 'Adalia Lovelacef')]);
    await eraseWholly(hub, acme, ada.entity_id);
    const bob = await account(acme, 'linkedin.com/in/bob');
    expect(bob.claims['manager_email']!.value).toBe('[erased]');
    expect((await account(acme, 'globex.com')).claims['contact']!.value).toBe('[erased]');
  });
});

describe('the identifiers of an erased person', () => {
  it('are refused by every write, until an admin allows them', async () => {
    const ada = personCalled('lovelaceg');
    const { id } = await recordEverything(ada);
    const { id: erasureId } = await eraseWholly(hub, acme, id);
    const refused = { status: 409, body: { error: 'identifier_erased' } };
    for (const focus of [ada.email, ada.privateEmail, ada.profile]) {
      expect(await tryRecord(acme, focus, [state('title', 'CEO')])).toMatchObject(refused);
      expect(await acme.post('/v2/notes', { focus, content: 'x' })).toMatchObject(refused);
    }
    expect(await acme.post('/v2/people', { email: ada.email, title: 'CEO' })).toMatchObject(refused);
    expect(await acme.patch('/v2/people/bob@acme.com', { email: ada.email })).toMatchObject(refused);
    expect(await tryRecord(acme, id, [state('title', 'CEO')])).toMatchObject({ status: 410 });
    const attached = await acme.post<{ results: object[] }>(
      '/v2/lead-lists/attach',
      { name: 'Again', rows: [{ email: ada.email }, { email: 'eve@acme.com' }] },
      { 'idempotency-key': 'attach-again' },
    );
    expect(attached.body.results).toMatchObject([
      { identifier: null, error: { error: 'identifier_erased' } },
      { status: 'created' },
    ]);
    expect(await traces(ada)).toEqual([]);
    const allowed = await acme.post<{ suppressed: boolean }>(`/v2/erasures/${erasureId}/allow-reimport`, {});
    expect(allowed).toMatchObject({ status: 200, body: { suppressed: false } });
    const again = await record(acme, ada.email, [state('title', 'CEO')]);
    expect(again).toMatchObject({ entity_created: true });
    expect(again.entity_id).not.toBe(id);
  });

  it('are accepted at once with allow_reimport', async () => {
    const { entity_id } = await record(acme, 'ada.lovelaceh@acme.com', [state('title', 'CTO')]);
    const done = await eraseWholly(hub, acme, entity_id, { allow_reimport: true });
    expect(done.suppressed).toBe(false);
    expect(await record(acme, 'ada.lovelaceh@acme.com', [state('title', 'CEO')])).toMatchObject({
      entity_created: true,
    });
  });

  it('do not refuse other calls of the same batch', async () => {
    const { entity_id } = await record(acme, 'ada.lovelacei@acme.com', [state('title', 'CTO')]);
    await eraseWholly(hub, acme, entity_id);
    const foci = ['ada.lovelacei@acme.com', 'bob@acme.com', 'eve@acme.com', 'ada.lovelacei@acme.com'];
    const answers = await Promise.all(foci.map(focus => tryRecord(acme, focus, [state('title', 'CEO')])));
    expect(answers.map(({ status }) => status)).toEqual([409, 200, 200, 409]);
  });

  it('of another workspace are accepted', async () => {
    const globex = await hub.workspace();
    const { entity_id } = await record(acme, 'ada.lovelacej@acme.com', [state('title', 'CTO')]);
    await record(globex, 'ada.lovelacej@acme.com', [state('title', 'CTO')]);
    await eraseWholly(hub, acme, entity_id);
    expect((await account(globex, 'ada.lovelacej@acme.com')).claims['title']!.value).toBe('CTO');
  });
});

describe('the request', () => {
  it('returns one response per key, and a new one without a key', async () => {
    const { entity_id } = await record(acme, 'ada.lovelacek@acme.com', [state('title', 'CTO')]);
    const key = { 'idempotency-key': 'erase' };
    const first = await tryErase(acme, 'ada.lovelacek@acme.com', {}, key);
    expect(first).toMatchObject({ status: 202, body: { state: 'pending', entity_id } });
    await finishErasure(hub, acme, first.body.id!);
    const replay = await tryErase(acme, 'ada.lovelacek@acme.com', {}, key);
    expect(replay).toMatchObject({ status: 202, body: { id: first.body.id } });
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    for (const focus of [entity_id, 'ada.lovelacek@acme.com'])
      expect(await tryErase(acme, focus)).toMatchObject({ status: 200, body: { id: first.body.id, state: 'done' } });
    const list = await acme.get<{ erasures: object[] }>('/v2/erasures?limit=1');
    expect(list.body).toMatchObject({ erasures: [{ id: first.body.id }], has_more: false, next_cursor: null });
  });

  it('refuses companies, names, unknown people and keys without the scope', async () => {
    await record(acme, 'acme.com', [state('industry', 'Software')]);
    expect(await tryErase(acme, 'acme.com')).toMatchObject({ status: 400, body: { error: 'not_a_person' } });
    expect(await tryErase(acme, 'Ada Lovelace')).toMatchObject({ status: 400, body: { error: 'invalid_focus' } });
    expect(await tryErase(acme, 'nobody@acme.com')).toMatchObject({ status: 404, body: { error: 'entity_not_found' } });
    expect(await acme.get('/v2/people/nobody@acme.com/erase')).toMatchObject({ status: 404 });
  });

  it('makes a replay of a stored response about the person say so', async () => {
    const key = { 'idempotency-key': 'record' };
    await tryRecord(acme, 'ada.lovelacel@acme.com', [state('title', 'CTO')], key);
    await eraseWholly(hub, acme, 'ada.lovelacel@acme.com');
    const replay = await tryRecord(acme, 'ada.lovelacel@acme.com', [state('title', 'CTO')], key);
    expect(replay).toMatchObject({ status: 410, body: { error: 'entity_erased' } });
  });
});
