import { Readable } from 'node:stream';
import { FILE_WINDOW_BYTES } from '#graph/erasures/stored-files.js';
import { FileStore } from '#kernel/files/file-store.js';
import { PluginStore } from '#plugin-host/store/plugin-store.js';
import type { AuditResponse } from '#graph/audit/audit.service.js';
import { type ErrorBody, event, record, state } from '../../support/graph/graph-calls.js';
import { MARK, markedTenant } from '../../support/graph/two-tenants.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

let hub: TestHub;

beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub?.end());

const read = (client: Client, id: string) =>
  client.get<Record<string, Record<string, unknown>[]> & ErrorBody>(`/v2/people/${encodeURIComponent(id)}/export`);

it('returns everything that is recorded about a person, by any identifier, and with sources', async () => {
  const { victim: acme } = await markedTenant(hub);
  const email = `${MARK}mail@${MARK}corp.com`;
  const { status, body } = await read(acme, email);
  expect(status).toBe(200);
  expect(body['identifiers']!.map(({ kind }) => kind)).toEqual(['email', 'linkedin']);
  expect(body['observations']).toContainEqual(
    expect.objectContaining({ property: 'title', source: `crm:${MARK}`, raw: { secret: `${MARK}raw` } }),
  );
  expect(body['claims']!.map(({ property }) => property)).toContain('title');
  expect(body['notes']).toHaveLength(2);
  expect(body['notes']![0]).toMatchObject({ source: `${MARK}notes`, content: expect.stringContaining(MARK) });
  expect(body['leads']).toHaveLength(1);
  const many = Array.from({ length: 250 }, () => event('email_sent'));
  const { entity_id } = await record(acme, email, many);
  expect((await read(acme, entity_id)).body['observations']!.length).toBe(body['observations']!.length + 250);
  const { events } = (await acme.get<AuditResponse>('/v2/workspace/audit?action=person.export')).body;
  expect(events).toHaveLength(2);
  expect(JSON.stringify(events)).not.toContain(MARK);
  const about = 'The quarter was good. '.repeat(60);
  const content = `${about}\n\nThen we talked to ${email} about prices.\n\n${about}`;
  const saved = await acme.post<{ note: { id: string } }>('/v2/notes', {
    focus: 'eve@others.com',
    type: 'note',
    content,
  });
  expect(saved.status).toBeLessThan(300);
  await acme.post('/v2/notes', { focus: 'eve@others.com', type: 'note', content: about });
  const { mentions } = (await read(acme, email)).body as unknown as { mentions: { passages: string[] }[] };
  expect(mentions).toHaveLength(1);
  expect(mentions[0]!.passages).toEqual([expect.stringContaining(email)]);
  expect(mentions[0]!.passages.join('').length).toBeLessThan(content.length);
  expect((await read(acme, `${MARK}corp.com`)).body.error).toBe('entity_not_found');
  const other = await hub.workspace();
  expect((await read(other, email)).status).toBe(404);
});

describe('what is recorded elsewhere', () => {
  const email = 'ada@acme.com';
  let acme: Client;
  let id: string;
  beforeEach(async () => {
    acme = await hub.workspace();
    ({ entity_id: id } = await record(acme, email, [state('name', 'Adalia Lovelace')]));
  });

  it('is returned where it mentions the person, without what is about others', async () => {
    const attendees = [
      { email, name: 'Adalia' },
      { email: 'bob@acme.com', name: 'Bob' },
    ];
    await record(acme, 'bob@acme.com', [
      state('title', 'Engineer'),
      event('meeting_held', { value: { attendees }, raw: { organizer: email } }),
    ]);
    await acme.post('/v2/lead-lists/attach', {
      name: 'Spring',
      rows: [{ email: 'bob@acme.com', referred_by: email }, { email: 'eve@acme.com' }],
    });
    await acme.post('/v2/workspace/facts', { section: 'pricing', content: { contact: email, price: 10 } });
    await acme.post('/v2/workspace/facts', { section: 'office', content: { city: 'Berlin' } });

    const { body } = await read(acme, email);

    expect(body['mentions_in_observations']).toEqual([
      expect.objectContaining({
        property: 'interaction.meeting_held',
        value: { attendees: [{ email, name: 'Adalia' }] },
        raw: { organizer: email },
      }),
      expect.objectContaining({ property: 'referred_by', value: email }),
    ]);
    expect(body['mentions_in_leads']).toEqual([
      expect.objectContaining({ original: expect.objectContaining({ referred_by: email }) }),
    ]);
    expect(body['mentions_in_facts']).toEqual([
      expect.objectContaining({ section: 'pricing', content: { contact: email, price: 10 } }),
    ]);
  });

  it('includes stored responses, received webhooks, values of plugins, runs and rejected rows', async () => {
    await acme.post('/v2/people', { email, title: 'CTO' }, { 'idempotency-key': 'one' });
    await acme.post('/v2/people', { email: 'eve@acme.com', name: 'Eve' }, { 'idempotency-key': 'two' });
    const store = hub.app.get(PluginStore, { strict: false });
    await store.write({ workspaceId: acme.workspaceId, plugin: 'triggers', connectionId: null }, [
      { key: 'log:one', value: { entity_id: id, body: 'the response' } },
      { key: 'log:two', value: { entity_id: 'other', body: 'unrelated' } },
    ]);
    const { pool } = hub.database;
    await pool.query(
      `INSERT INTO inbound_events (workspace_id, id, connection_id, plugin, name, event_id, headers, body)
       SELECT $1, gen_random_uuid(), gen_random_uuid(), 'calcom', 'booking', n::text, '{}',
         convert_to(CASE n WHEN 1 THEN $2 WHEN 2 THEN $3 ELSE 'plain text on Adalia Lovelace' END, 'UTF8')
       FROM generate_series(1, 3) AS n`,
      [acme.workspaceId, `{"who":"${email.replace('@', String.raw`\u0040`)}"}`, '{"who":"eve@acme.com"}'],
    );
    await pool.query(
      `WITH run AS (
         INSERT INTO plugin_runs (workspace_id, id, plugin, name, input)
         VALUES ($1, gen_random_uuid(), 'csv-import', 'import', '{}') RETURNING id)
       INSERT INTO plugin_run_reports (workspace_id, run_id, step, position, at, error, cells)
       SELECT $1, id, 1, n, n::text, 'no date', CASE WHEN n % 700 = 0 THEN ARRAY[$2, '=1+1'] ELSE ARRAY['eve@acme.com'] END
       FROM run, generate_series(1, 2500) AS n`,
      [acme.workspaceId, email],
    );
    await pool.query(
      `INSERT INTO plugin_runs (workspace_id, id, plugin, name, input, message)
       VALUES ($1, gen_random_uuid(), 'csv-import', 'import', $2, 'waits')`,
      [acme.workspaceId, JSON.stringify({ by: email })],
    );

    const { body } = await read(acme, id);

    expect(body['stored_responses']).toEqual([
      expect.objectContaining({ body: expect.objectContaining({ entity_id: id }) }),
    ]);
    const values = body['plugin_values']!;
    expect(values).toEqual([
      expect.objectContaining({ key: 'log:one', connection_id: null, value: { entity_id: id, body: 'the response' } }),
    ]);
    expect(body['received_webhooks']!.map(webhook => webhook['body'])).toEqual(
      expect.arrayContaining([{ who: email }, 'plain text on Adalia Lovelace']),
    );
    expect(body['received_webhooks']).toHaveLength(2);
    expect(body['runs']).toEqual([expect.objectContaining({ input: { by: email }, message: 'waits' })]);
    expect(body['rejected_rows']!.map(row => [row['at'], row['cells']])).toEqual(
      ['700', '1400', '2100'].map(at => [at, [email, '=1+1']]),
    );
  });

  it('returns the lines of stored files that mention the person', async () => {
    const { entity_id: id } = await record(acme, 'liz@acme.com', [state('name', 'Liz Fenwick')]);
    const files = hub.app.get(FileStore, { strict: false });
    const store = (name: string, content: Buffer) =>
      files.write(
        { workspaceId: acme.workspaceId, plugin: 'csv-import' },
        { name, mediaType: 'text/csv', expiresInMs: 3_600_000 },
        Readable.from([content]),
      );
    const filler = 'eve@acme.com,Eve\n'.repeat(FILE_WINDOW_BYTES / 16);
    await store('long.csv', Buffer.from(`liz@acme.com,first\r\n${filler}LIZ@acme.com,"last"\n`));
    await store('wide.csv', Buffer.from(`\ufeffemail\tname\r\n${filler}liz@acme.com\twide\r\n`, 'utf16le'));
    await store('latin.csv', Buffer.from('München;liz@acme.com', 'latin1'));
    await store('mixed.csv', Buffer.concat([Buffer.from('Köln;liz@acme.com\n'), Buffer.from('Zoë\n', 'latin1')]));
    await store('others.csv', Buffer.from(filler));
    await store('table.xlsx', Buffer.from('PK\u0003\u0004\u0000'));

    const { body } = await read(acme, id);

    const lines = body['mentions_in_files']!.map(row => [row['name'], row['line']]);
    expect(lines.toSorted()).toEqual([
      ['latin.csv', 'München;liz@acme.com'],
      ['long.csv', 'LIZ@acme.com,"last"'],
      ['long.csv', 'liz@acme.com,first'],
      ['mixed.csv', 'Köln;liz@acme.com'],
      ['table.xlsx', null],
      ['wide.csv', 'liz@acme.com\twide'],
    ]);
  });
});
