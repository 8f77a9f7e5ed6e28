import { parse } from 'csv-parse/sync';
import { event, record, state } from '../../support/graph/graph-calls.js';
import type { Client, TestHub } from '../../support/hub.js';
import { hubForSuite } from '../../support/hub-for-suite.js';

let hub: TestHub;
let client: Client;

hubForSuite(
  made => (client = made),
  started => (hub = started),
);

async function download(id: string, query = '') {
  const response = await fetch(`${hub.url}/v2/accounts/${encodeURIComponent(id)}/timeline/export${query}`, {
    headers: { authorization: `Bearer ${client.key}` },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const readCsv = (text: string): Record<string, string>[] => parse(text, { columns: true });

describe('GET /v2/accounts/:id/timeline/export', () => {
  it('has every observation, newest first, with the claim beside a state', async () => {
    await record(client, 'ada@gmail.com', [
      state('title', 'CTO', { source: 'crm:a', observed_at: '2026-11-02T09:00:00Z' }),
      event('call_held', {
        source: 'dialer',
        observed_at: '2026-11-03T09:00:00Z',
        value: { description: '=cmd, "quoted"' },
      }),
    ]);
    const { status, headers, text } = await download('ada@gmail.com');
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe('attachment; filename="timeline.csv"');
    const rows = readCsv(text);
    expect(rows).toMatchObject([
      { kind: 'event', property: 'interaction.call_held', source: 'dialer', confidence: '', freshness: '' },
      { kind: 'state', property: 'title', value: 'CTO', source: 'crm:a', freshness: 'fresh' },
    ]);
    expect(Number(rows[1]!['confidence'])).toBeGreaterThan(0.5);
    expect(JSON.parse(rows[0]!['value']!)).toEqual({ description: '=cmd, "quoted"' });
  });

  it('goes on beyond a page, and leaves nothing out', async () => {
    const times = Array.from({ length: 1_203 }, (_, i) => new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString());
    for (let from = 0; from < times.length; from += 401)
      await record(
        client,
        'ada@gmail.com',
        times
          .slice(from, from + 401)
          .map((observed_at, i) => event('email_sent', { observed_at, external_id: `${from + i}` })),
      );
    const { text } = await download('ada@gmail.com', '?format=ndjson&fields=external_id,observed_at');
    const lines = text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { external_id: string; observed_at: string });
    expect(new Set(lines.map(line => line.external_id)).size).toBe(1_203);
    expect(lines.map(line => line.observed_at)).toEqual(
      lines
        .map(line => line.observed_at)
        .toSorted()
        .toReversed(),
    );
    expect(Object.keys(lines[0]!)).toEqual(['external_id', 'observed_at']);
  });

  it('of a company has the events of its people', async () => {
    const { entity_id: ada } = await record(client, 'ada@acme.com', [event('call_held'), state('title', 'CTO')]);
    await record(client, 'acme.com', [state('industry', 'Software')]);
    const rows = readCsv((await download('acme.com')).text);
    expect(rows.map(({ property, person_id }) => [property, person_id])).toEqual(
      expect.arrayContaining([
        ['interaction.call_held', ada],
        ['industry', ''],
      ]),
    );
    expect(rows.map(({ property }) => property)).not.toContain('title');
  });

  it('is as it was at an earlier time', async () => {
    await record(client, 'ada@gmail.com', [state('title', 'CTO', { observed_at: '2026-01-01T00:00:00Z' })]);
    await record(client, 'ada@gmail.com', [state('title', 'CEO', { observed_at: '2026-06-01T00:00:00Z' })]);
    const rows = readCsv((await download('ada@gmail.com', '?as_of=2026-03-01')).text);
    expect(rows.map(({ value }) => value)).toEqual(['CTO']);
  });

  it.each([
    ['nobody@nowhere.com', '', 404, 'entity_not_found'],
    ['Ada Byron', '', 400, 'invalid_focus'],
    ['ada@gmail.com', '?format=xml', 400, 'invalid_request'],
    ['ada@gmail.com', '?fields=value,colour', 400, 'invalid_request'],
  ])('refuses %s%s', async (id, query, status, error) => {
    await record(client, 'ada@gmail.com', [state('title', 'CTO')]);
    const answer = await download(id, query);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ error });
  });
});
