import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { bookingWith } from '../../fakes/calcom/bookings.ts';
import { cancelledOf, createdOf, type Envelope, ping, rescheduledOf } from '../../fakes/calcom/payloads.ts';
import { AGENTS } from '../../fixtures/mcp/agents.js';
import { account as accountOf } from '../../support/graph/graph-calls.js';
import type { Client } from '../../support/hub.js';
import { until } from '../../support/until.js';
import { connectionCases } from './connection.cases.ts';
import {
  bookingsWith,
  type CalcomStage,
  connect,
  integration,
  meetingsOf,
  startCalcomStage,
} from './calcom.fixture.ts';

let stage: CalcomStage;

beforeAll(async () => {
  stage = await startCalcomStage();
});
afterAll(() => stage?.end());
afterEach(() => {
  // Whatever it asks of the provider is as the provider publishes it.
  expect(stage.calcom.refused).toEqual([]);
  stage.calcom.faults.clear();
  Object.assign(stage.calcom, { remaining: 120, reset: 60 });
});

const idle = () => until('nothing is left to do', stage.idle);
const standing = (client: Client) => client.get<Progress>('/v2/plugins/calcom/backfill/unknown');

interface Progress {
  readonly id: string;
  readonly status: string;
  readonly contacts_done: number;
  readonly contacts_waiting: number;
  readonly activities: number;
}

async function backfilled(client: Client, body: object): Promise<Progress> {
  const started = await client.post<Progress>('/v2/plugins/calcom/backfill', body);
  // It is done at once if the jobs that follow an import were faster.
  expect(started).toMatchObject({ status: 202, body: { status: expect.stringMatching(/^(?:running|done)$/) } });
  return until('the backfill is done', async () => {
    const { body: progress } = await client.get<Progress>(`/v2/plugins/calcom/backfill/${started.body.id}`);
    return progress.status === 'done' && progress;
  });
}

describe('a connection', () => void connectionCases(() => stage));

describe('bookings', () => {
  it('are one activity and one contact, however often and by whichever way they are delivered', async () => {
    for (const backfillFirst of [false, true]) {
      const { client, account } = await stage.connected(`cal_many_${backfillFirst}`);
      const [hook] = [...account.hooks.all.values()];
      const booking = bookingWith(['ada@example.org', 'bob@seller.example', '4915112345678@sms.cal.com']);
      account.bookings.push(booking);
      const webhooks = () =>
        Promise.all(Array.from({ length: 50 }, () => stage.calcom.deliver(hook!, createdOf(booking), stage.hub.url)));
      await client.post('/v2/people', { email: 'known@example.org', name: 'Known' });
      if (backfillFirst) {
        await client.post('/v2/people', { email: 'ada@example.org' });
        await backfilled(client, { focus: 'ada@example.org' });
      }
      expect(new Set((await webhooks()).map(({ status }) => status))).toEqual(new Set([200]));
      await idle();
      if (!backfillFirst) expect(await backfilled(client, { all: true })).toMatchObject({ contacts_done: 2 });
      await idle();
      expect(await meetingsOf(client, 'ada@example.org')).toEqual([`scheduled ${booking.uid}`]);
      const { body } = await client.get<{ people: { email: string; name: string }[] }>('/v2/people?limit=10');
      expect(body.people.map(({ email, name }) => `${email} ${name}`).toSorted()).toEqual([
        'ada@example.org Ada',
        'known@example.org Known',
      ]);
      expect((await integration(client)).connection).toMatchObject({ last_event_at: expect.any(String) });
    }
  });

  it('tell their story whatever comes between: moved, cancelled, forged, pinged', async () => {
    const { client, account } = await stage.connected('cal_story');
    const [hook] = [...account.hooks.all.values()];
    const send = (envelope: Envelope | string) => stage.calcom.deliver(hook!, envelope, stage.hub.url);
    const first = bookingWith(['ada@example.org'], { start: '2027-01-04T10:00:00.000Z' });
    const second = bookingWith(['ada@example.org'], { start: '2027-01-05T10:00:00.000Z' });
    const marked = bookingWith(['bom@example.org']);
    expect((await send(cancelledOf(second, '2026-11-03T10:00:00.000Z'))).status).toBe(200);
    expect((await send(rescheduledOf(second, first, '2026-11-02T10:00:00.000Z'))).status).toBe(200);
    expect((await send(createdOf(first))).status).toBe(200);
    expect((await send(ping)).status).toBe(200);
    expect((await send('when=&quot;soon&quot;')).status).toBe(200);
    expect((await send(`\ufeff${JSON.stringify(createdOf(marked))}`)).status).toBe(200);
    const forged = { ...hook!, secret: 'another' };
    expect(
      (await stage.calcom.deliver(forged, createdOf(bookingWith(['eve@example.org'])), stage.hub.url)).status,
    ).toBe(401);
    await idle();
    expect(await meetingsOf(client, 'ada@example.org')).toEqual([
      `scheduled ${first.uid}`,
      `scheduled ${second.uid}`,
      `cancelled ${second.uid}`,
    ]);
    const { claims, recent_observations: timeline } = await accountOf(client, 'ada@example.org');
    expect(claims['name']).toMatchObject({ value: 'Ada', confidence: 0.9, epistemic_class: 'observed' });
    expect(timeline.find(({ property }) => property === 'interaction.meeting_cancelled')).toMatchObject({
      source: 'calcom',
      value: { description: 'Meeting “Intro” of 2027-01-05 10:00 UTC cancelled.', start: '2027-01-05T10:00:00.000Z' },
    });
    expect(await meetingsOf(client, 'bom@example.org')).toEqual([`scheduled ${marked.uid}`]);
    expect(await meetingsOf(client, 'eve@example.org')).toEqual([]);
    expect((await stage.hub.database.pool.query("SELECT FROM plugin_jobs WHERE state = 'dead'")).rowCount).toBe(0);
  });
});

describe('the backfill', () => {
  it(`follows an import, page by page, within the provider's rate limit`, async () => {
    const { client, account } = await stage.connected('cal_import');
    account.bookings.push(
      ...bookingsWith('ada+x@example.org', 130),
      ...bookingsWith('linus@example.org', 2, { status: 'cancelled' }),
    );
    account.bookings.push(...bookingsWith('linus@example.org', 1, { status: 'pending' }));
    const from = stage.calcom.listings.length;
    const rows = ['ada+x@example.org', 'linus@example.org', 'grace@example.org'].map(email => ({ email }));
    expect(
      (await client.post('/v2/lead-lists/attach', { name: 'Fair', source: 'csv-fair', rows })).status,
    ).toBeLessThan(300);
    await until('all was asked for', () => stage.calcom.listings.length >= from + 4);
    await idle();
    const requests = stage.calcom.listings.slice(from);
    expect(requests.map(({ query }) => query.get('attendeeEmail')).toSorted()).toEqual([
      'ada+x@example.org',
      'ada+x@example.org',
      'grace@example.org',
      'linus@example.org',
    ]);
    expect(
      requests.every(
        ({ headers, query }) => headers['cal-api-version'] === '2026-05-01' && query.get('limit') === '100',
      ),
    ).toBe(true);
    expect(await meetingsOf(client, 'ada+x@example.org')).toHaveLength(130);
    expect(await meetingsOf(client, 'linus@example.org')).toEqual([
      expect.stringMatching(/^cancelled/),
      expect.stringMatching(/^cancelled/),
    ]);
  });

  it('gets there through a limit, an outage, broken answers, an ignored filter and an older form', async () => {
    const { client, account } = await stage.connected('cal_faults');
    account.bookings.push(...bookingsWith('ada@example.org', 120), ...bookingsWith('linus@example.org', 3));
    await client.post('/v2/people', { email: 'ada@example.org' });
    const path = /bookings/;
    stage.calcom.reset = 1;
    stage.calcom.faults.add(
      { kind: 'status', status: 429, headers: { 'X-RateLimit-Reset-Default': '1' }, path, times: 1 },
      { kind: 'truncated', path, times: 1 },
      { kind: 'ignored-filter', path },
    );
    expect(await backfilled(client, { focus: 'ada@example.org' })).toMatchObject({ activities: 120, contacts_done: 1 });
    expect(await meetingsOf(client, 'linus@example.org')).toEqual([]);
    stage.calcom.faults.clear();
    const other = await stage.connected('cal_old');
    other.account.bookings.push(...bookingsWith('grace@example.org', 110));
    await other.client.post('/v2/people', { email: 'grace@example.org' });
    stage.calcom.faults.add({ kind: 'old-shape', path });
    expect(await backfilled(other.client, { focus: 'grace@example.org' })).toMatchObject({ activities: 110 });
  });

  it('tells nobody of what is past, and of what has just happened as the webhook would', async () => {
    const { client, account } = await stage.connected('cal_past');
    const [hook] = [...account.hooks.all.values()];
    const old = bookingWith(['ada@example.org'], { start: '2027-03-01T10:00:00.000Z' });
    const fresh = bookingWith(['ada@example.org'], { createdAt: new Date().toISOString() });
    account.bookings.push(old, fresh);
    const url = 'https://hooks.example.org/paused';
    const trigger = { url, events: ['meeting.scheduled', 'meeting.cancelled'], active: false };
    const made = await client.post<{ trigger: { id: string } }>('/v2/plugins/triggers/triggers', trigger);
    await client.post('/v2/people', { email: 'ada@example.org' });
    await backfilled(client, { focus: 'ada@example.org' });
    await stage.calcom.deliver(hook!, createdOf(old), stage.hub.url);
    await idle();
    expect((await meetingsOf(client, 'ada@example.org')).toSorted()).toEqual([
      `scheduled ${old.uid}`,
      `scheduled ${fresh.uid}`,
    ]);
    const timeline = (await accountOf(client, 'ada@example.org')).recent_observations;
    const methodOf = ({ uid }: { uid: string }) =>
      timeline.find(({ value }) => (value as { booking_uid?: string }).booking_uid === uid)!.method;
    expect([methodOf(old), methodOf(fresh)]).toEqual(['backfill', 'plugin']);
    const { body } = await client.get<{ deliveries: { payload: string }[] }>(
      `/v2/plugins/triggers/triggers/${made.body.trigger.id}/deliveries`,
    );
    expect(body.deliveries.map(({ payload }) => /"booking_uid":"([^"]*)"/.exec(payload)?.[1])).toEqual([fresh.uid]);
  });

  it('wants to know precisely whose bookings, and keeps the progress of a workspace to itself', async () => {
    const { client } = await stage.connected('cal_whose');
    const ask = (body: object) => client.post('/v2/plugins/calcom/backfill', body);
    await client.post('/v2/people', { email: 'ada@example.org', name: 'Ada Byron' });
    expect(await ask({ focus: 'Ada Byron' })).toMatchObject({ status: 400, body: { error: 'invalid_focus' } });
    expect(await ask({ focus: 'nobody@example.org' })).toMatchObject({
      status: 404,
      body: { error: 'entity_not_found' },
    });
    expect(await ask({ all: false })).toMatchObject({ body: { detail: 'all must be true.' } });
    for (const body of [{}, { all: false }, { all: true, focus: 'ada@example.org' }, { who: 'ada' }]) {
      expect(await ask(body)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    }
    expect(await standing(client)).toMatchObject({ status: 404 });
    const { id } = await backfilled(client, { all: true });
    const { client: outsider } = await stage.connected('cal_stranger');
    expect((await outsider.get(`/v2/plugins/calcom/backfill/${id}`)).status).toBe(404);
  });
});

it('what a delivery has lost is found by asking for what has changed', async () => {
  const { client, account } = await stage.connected('cal_lossy');
  const soon = new Date(Date.now() + 1000).toISOString();
  const old = '2025-01-01T10:00:00.000Z';
  const [made, changed, past] = [
    bookingWith(['ada@example.org'], { createdAt: soon }),
    bookingWith(['ada@example.org'], { createdAt: old, updatedAt: soon, status: 'cancelled' }),
    bookingWith(['ada@example.org'], { createdAt: old }),
  ];
  account.bookings.push(made, changed, past);
  stage.calcom.faults.add({ kind: 'ignored-filter' });
  await stage.hub.database.pool.query(
    `INSERT INTO plugin_jobs (workspace_id, id, plugin, kind, name, payload, connection_id, run_at)
     SELECT workspace_id, gen_random_uuid(), 'calcom', 'job', 'reconcile', 'null', id, now() FROM connections
     WHERE workspace_id = $1`,
    [client.workspaceId],
  );
  await until('both are there', async () => (await meetingsOf(client, 'ada@example.org')).length === 2);
  expect((await meetingsOf(client, 'ada@example.org')).toSorted()).toEqual([
    `cancelled ${changed.uid}`,
    `scheduled ${made.uid}`,
  ]);
});

describe('the tool of the plugin', () => {
  const BOOKINGS = 'calcom_list_bookings';
  const mcp = () => new URL('/mcp', stage.hub.url);

  it.each(AGENTS)(
    'is listed for %s while the workspace has a connection, and says so without one',
    async (name, by) => {
      const key = `cal_listed_${name.replaceAll(/\W/g, '')}`;
      stage.calcom.account(key);
      const client = await stage.hub.workspace();
      /** Clients may keep a list, so each look is that of a new one. */
      const isListed = async () => {
        const agent = await by(mcp(), client.key);
        const tools = await agent.tools();
        await agent.close();
        return tools.some(tool => tool.name === BOOKINGS);
      };
      expect(await isListed()).toBe(false);
      const agent = await by(mcp(), client.key);
      const refused = await agent.call(BOOKINGS, { focus: 'ada@example.org' });
      expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('connect') });
      await agent.close();
      expect((await connect(client, key)).status).toBe(201);
      expect(await isListed()).toBe(true);
      await client.delete('/v2/workspace/integrations/calcom');
      expect(await isListed()).toBe(false);
    },
  );

  it('appears to a client that listens as soon as the workspace is connected', async () => {
    stage.calcom.account('cal_listens');
    const [client, other] = [await stage.hub.workspace(), await stage.hub.workspace()];
    const listen = async (apiKey: string) => {
      const lists: string[][] = [];
      const onChanged = (_: unknown, tools: { name: string }[] | null) =>
        void lists.push((tools ?? []).map(tool => tool.name));
      const versionNegotiation = { mode: { pin: '2026-07-28' } } as const;
      const agent = new ModernClient(
        { name: 'listener', version: '1.0.0' },
        { versionNegotiation, listChanged: { tools: { onChanged } } },
      );
      const requestInit = { headers: { authorization: `Bearer ${apiKey}` } };
      await agent.connect(new StreamableHTTPClientTransport(mcp(), { requestInit }));
      return { agent, lists };
    };
    const [listener, bystander] = [await listen(client.key), await listen(other.key)];
    await connect(client, 'cal_listens');
    await until('the new list', async () => listener.lists.some(names => names.includes(BOOKINGS)));
    await client.delete('/v2/workspace/integrations/calcom');
    await until('the old list', async () => listener.lists.at(-1)?.includes(BOOKINGS) === false);
    expect(bystander.lists).toEqual([]);
    await Promise.all([listener.agent.close(), bystander.agent.close()]);
  });
});

it('agents list the bookings with a contact, what lies ahead and what is past', async () => {
  const { client, account } = await stage.connected('cal_agent');
  const [ahead, past] = [
    bookingWith(['ada@example.org'], { start: '2030-01-01T10:00:00.000Z' }),
    bookingWith(['ada@example.org'], { start: '2020-01-01T10:00:00.000Z', status: 'cancelled' }),
  ];
  account.bookings.push(past, ahead, bookingWith(['grace@example.org']));
  const [, connectAgent] = AGENTS[0]!;
  const agent = await connectAgent(new URL('/mcp', stage.hub.url), client.key);
  expect((await agent.call('calcom_list_bookings', { focus: 'ada@example.org' })).structuredContent).toMatchObject({
    email: 'ada@example.org',
    upcoming: [{ booking_uid: ahead.uid, status: 'accepted', host: 'bob@seller.example' }],
    past: [{ booking_uid: past.uid, status: 'cancelled' }],
    has_more: false,
  });
  stage.calcom.faults.add({
    kind: 'status',
    status: 429,
    headers: { 'X-RateLimit-Reset-Default': '7' },
    path: /bookings/,
  });
  expect(await agent.call('calcom_list_bookings', { focus: 'ada@example.org' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('try again in 7 s'),
  });
  stage.calcom.faults.clear();
  stage.calcom.faults.add({ kind: 'status', status: 500, path: /bookings/ });
  expect(await agent.call('calcom_list_bookings', { focus: 'ada@example.org' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('no usable answer'),
  });
  await client.post('/v2/people', { email: 'ada@example.org' });
  expect(await client.get('/v2/plugins/calcom/bookings?focus=ada@example.org')).toMatchObject({
    status: 503,
    body: { error: 'unavailable', detail: expect.stringContaining('provider') },
  });
  expect(await agent.call('calcom_list_bookings', { focus: 'Nobody Known' })).toMatchObject({ isError: true });
  await agent.close();
});
