import type { TimelineResponse } from '#graph/accounts/timeline.service.js';
import { account, event, record, state } from '../../support/graph/graph-calls.js';
import type { Client } from '../../support/hub.js';
import { hubForSuite } from '../../support/hub-for-suite.js';

let client: Client;

hubForSuite(made => (client = made));

const day = (number: number) => ({ observed_at: `2026-11-0${number}T09:00:00Z` });
const list = (id: string, query = '') =>
  client.get<TimelineResponse>(`/v2/accounts/${encodeURIComponent(id)}/timeline${query}`);
const typesOf = async (id: string, query = '') =>
  (await list(id, query)).body.observations.map(({ type, source }) => `${type} of ${source}`);

describe('GET /v2/accounts/:id/timeline', () => {
  beforeEach(async () => {
    await record(client, 'ada@gmail.com', [
      state('title', 'CTO', { source: 'crm:hubspot', ...day(1) }),
      state('city', 'Berlin', { source: 'agent', ...day(2) }),
      event('email_received', { source: 'mail', external_id: 'm1', ...day(3) }),
      event('call_held', { source: 'dialer', external_id: 'c1', ...day(4) }),
      state('job_title', 'CIO', { source: 'agent', ...day(5) }),
    ]);
  });

  it('lists observations as the account does, newest first, page by page', async () => {
    const whole = await account(client, 'ada@gmail.com');
    const { status, body } = await list('ada@gmail.com');
    expect(status).toBe(200);
    expect(body).toEqual({
      entity_id: whole.entity_id,
      observations: whole.recent_observations,
      limit: 50,
      has_more: false,
      next_cursor: null,
    });
    const paged: object[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: TimelineResponse = (await list('ada@gmail.com', `?limit=2${cursor && `&cursor=${cursor}`}`)).body;
      paged.push(...page.observations);
      cursor = page.next_cursor;
    }
    expect(paged).toEqual(whole.recent_observations);
  });

  it.each([
    ['kind=event', ['call_held of dialer', 'email_received of mail']],
    ['kind=state&limit=2', ['title of agent', 'city of agent']],
    ['property=title', ['title of agent', 'title of crm:hubspot']],
    ['property=job_title', ['title of agent', 'title of crm:hubspot']],
    ['property=email_replied', ['email_received of mail']],
    ['property=interaction.email_received', ['email_received of mail']],
    ['property=weather', []],
    ['source=agent', ['title of agent', 'city of agent']],
    ['source=agent&property=city', ['city of agent']],
    ['since=2026-11-04T09:00:00Z', ['title of agent', 'call_held of dialer']],
    ['until=2026-11-02T09:00:00Z', ['title of crm:hubspot']],
    ['since=2026-11-02T00:00:00Z&until=2026-11-04T09:00:00Z', ['email_received of mail', 'city of agent']],
    ['known_at=2026-01-01T00:00:00Z', []],
  ])('narrows it by %s', async (query, expected) => {
    expect(await typesOf('ada@gmail.com', `?${query}`)).toEqual(expected);
  });

  it('goes on with the same conditions, however many others stand between', async () => {
    await record(
      client,
      'ada@gmail.com',
      Array.from({ length: 30 }, (_, i) => event('email_sent', { source: 'mail', external_id: `s${i}`, ...day(3) })),
    );
    const first = await list('ada@gmail.com', '?kind=state&limit=1');
    const second = await list('ada@gmail.com', `?kind=state&limit=2&cursor=${first.body.next_cursor}`);
    expect(second.body.observations.map(({ property }) => property)).toEqual(['city', 'title']);
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null });
  });

  it('of a company has the events of its people, and not what is stated about them', async () => {
    await record(client, 'bo@acme.com', [event('call_held', { source: 'dialer', ...day(1) }), state('title', 'Buyer')]);
    await record(client, 'acme.com', [state('industry', 'Software', { source: 'agent', ...day(2) })]);
    expect(await typesOf('acme.com', '?kind=event')).toEqual(['call_held of dialer']);
    expect(await typesOf('acme.com', '?source=agent')).toEqual(['industry of agent']);
    expect((await list('acme.com', '?kind=event')).body.observations[0]!.person_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['kind=note', 'kind'],
    ['since=yesterday', 'since'],
    ['since=2026-11-04T09:00:00Z&until=2026-11-04T09:00:00Z', 'since'],
    ['source=%20', 'source'],
    ['limit=0', 'limit'],
  ])('refuses %s and names the field', async (query, field) => {
    expect(await list('ada@gmail.com', `?${query}`)).toMatchObject({ status: 400, body: { details: [{ field }] } });
  });

  it('refuses unknown entities, names, and cursors of others', async () => {
    expect(await list('eve@gmail.com')).toMatchObject({ status: 404, body: { error: 'entity_not_found' } });
    expect(await list('Ada')).toMatchObject({ status: 400, body: { error: 'invalid_focus' } });
    await record(client, 'bo@gmail.com', [state('title', 'CTO'), state('city', 'Berlin')]);
    const { body } = await list('bo@gmail.com', '?limit=1');
    const other = await list('ada@gmail.com', `?cursor=${body.next_cursor}`);
    expect(other).toMatchObject({ status: 400, body: { error: 'cursor_mismatch' } });
  });
});
