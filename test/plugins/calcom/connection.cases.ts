import { ConnectionMonitor } from '#plugin-host/connections/connection.monitor.js';
import { LifecycleRunner } from '#plugin-host/connections/lifecycle.runner.js';
import { bookingWith } from '../../fakes/calcom/bookings.ts';
import { createdOf } from '../../fakes/calcom/payloads.ts';
import { faultIn } from '../../fakes/calcom/requests.ts';
import { AGENTS } from '../../fixtures/mcp/agents.js';
import type { Client } from '../../support/hub.js';
import { until } from '../../support/until.js';
import { type CalcomStage, connect, integration, meetingsOf } from './calcom.fixture.ts';

/** How a connection to Cal.com is made, kept and ended. */
export function connectionCases(place: () => CalcomStage): void {
  describe('connecting', () => {
    it('registers one subscription with a secret and an address that nobody can guess, and finds it again', async () => {
      const { calcom } = place();
      const client = await place().hub.workspace('starter');
      const { hooks } = calcom.account('cal_one');
      const foreign = { ...hooks.add('https://elsewhere.example/hook') };
      expect(await connect(client, 'cal_one')).toMatchObject({ status: 201, body: { webhook_registered: true } });
      const [, ours] = [...hooks.all.values()];
      expect(ours).toMatchObject({
        active: true,
        triggers: ['BOOKING_CREATED', 'BOOKING_RESCHEDULED', 'BOOKING_CANCELLED'],
        subscriberUrl: expect.stringMatching(/^https:\/\/hub\.seller\.example\/hooks\/[\w-]{40,}\/bookings$/),
        secret: expect.stringMatching(/^.{32,}$/),
        payloadTemplate: null,
      });
      expect(await connect(client, 'cal_one')).toMatchObject({ status: 200 });
      expect([...hooks.all.values()]).toEqual([foreign, ours]);
      expect(await integration(client)).toMatchObject({
        state: 'connected',
        connection: { webhook_active: true, last_event_at: null, last_error: null },
      });
    });

    it('is made by an agent: tested, then connected, and listed over MCP and REST alike', async () => {
      const { calcom, hub } = place();
      const client = await hub.workspace('starter');
      const { hooks } = calcom.account('cal_agents');
      const agent = await AGENTS[1]![1](new URL('/mcp', hub.url), client.key);
      const call = async (credentials: object | undefined, more: object = {}) => {
        const input = { provider: 'calcom', ...(credentials && { credentials }), ...more };
        return (await agent.call('connect_integration', input)).structuredContent;
      };
      expect(await call(undefined)).toMatchObject({ status: 'missing_fields', missing_fields: ['api_key'] });
      const rehearsal = { dry_run: true };
      expect(await call({ api_key: 'cal_bad' }, rehearsal)).toMatchObject({ status: 'not_verified', verified: false });
      expect(await call({ api_key: 'cal_agents' }, rehearsal)).toMatchObject({ status: 'verified', verified: true });
      expect([hooks.all.size, (await integration(client)).state]).toEqual([0, 'available']);

      const connected = await call({ api_key: 'cal_agents' });
      expect(connected).toMatchObject({ status: 'connected', verified: true, webhook_active: true });
      expect([hooks.all.size, (await integration(client)).state]).toEqual([1, 'connected']);
      const status = await agent.call('get_workspace_status');
      expect(status.structuredContent).toMatchObject({
        setup: { integrations: { connected: [{ provider: 'calcom' }] } },
      });
      expect(JSON.stringify([connected, status])).not.toContain('cal_agents');
      await agent.close();
    });

    it('says in clear words what is wrong, and saves nothing', async () => {
      const { calcom } = place();
      const client = await place().hub.workspace('starter');
      const { hooks } = calcom.account('cal_good');
      const html = { kind: 'html', times: 1 } as const;
      const forbidden = { kind: 'status', status: 403, times: 1 } as const;
      const internal = { kind: 'status', status: 500, path: /webhooks/, times: 1 } as const;
      const refused = { kind: 'status', status: 400, path: /webhooks/, times: 1 } as const;
      const busy = { ...internal, status: 429, headers: { 'X-RateLimit-Reset-Default': '9' } };
      for (const [fault, key, status, error, words] of [
        [undefined, 'cal_bad', 400, 'invalid_credentials', /does not know this API key/],
        [forbidden, 'cal_good', 400, 'invalid_credentials', /may not read/],
        [html, 'cal_good', 502, 'provider_unreachable', /./],
        [
          { ...html, kind: 'truncated', path: /me$/, times: 9 },
          'cal_good',
          502,
          'provider_unreachable',
          /cannot be reached/,
        ],
        [internal, 'cal_good', 502, 'provider_unreachable', /answered 500/],
        [refused, 'cal_good', 400, 'provider_refused', /./],
        [{ ...html, path: /webhooks/ }, 'cal_good', 502, 'provider_unreachable', /no JSON.*api_url.*try again later/],
        [
          { ...html, kind: 'truncated', path: /webhooks/, times: 9 },
          'cal_good',
          502,
          'provider_unreachable',
          /Cal\.com cannot be reached.*try again later/,
        ],
        [busy, 'cal_good', 502, 'provider_unreachable', /asked too often.*try again in 9 s/],
      ] as const) {
        if (fault) calcom.faults.add(fault);
        const answer = await connect(client, key);
        expect(answer).toMatchObject({ status, body: { error, detail: expect.stringMatching(words) } });
        expect(JSON.stringify(answer.body)).not.toContain('cal_good');
        calcom.faults.clear();
        expect(await integration(client)).toMatchObject({ state: 'available', connection: null });
      }
      expect(hooks.all.size).toBe(0);
      const request = { provider: 'calcom', credentials: { api_key: 'cal_good' }, settings: { api_url: 'nope' } };
      expect(await client.post('/v2/workspace/integrations', request)).toMatchObject({
        status: 400,
        body: { error: 'invalid_request', detail: expect.stringMatching(/^settings.api_url must be an address/) },
      });
    });

    it('adopts what it has made when the answer was lost', async () => {
      const client = await place().hub.workspace('starter');
      const { hooks } = place().calcom.account('cal_lost');
      place().calcom.faults.add({ kind: 'lost-answer', method: 'POST', times: 1 });
      expect(await connect(client, 'cal_lost')).toMatchObject({ status: 201 });
      expect(hooks.all.size).toBe(1);
    });

    it('takes back what may have been made when nobody could tell, and does not wait with connecting for it', async () => {
      const client = await place().hub.workspace('starter');
      const { hooks } = place().calcom.account('cal_silent');
      place().calcom.faults.add(
        { kind: 'lost-answer', method: 'POST', times: 1 },
        { kind: 'status', status: 500, method: 'GET', path: /webhooks/, times: 1 },
      );
      expect(await connect(client, 'cal_silent')).toMatchObject({ status: 502 });
      expect([hooks.all.size, (await integration(client)).state]).toEqual([1, 'available']);
      expect(await connect(client, 'cal_silent')).toMatchObject({ status: 201 });
      await lookAfter(client);
      expect([...hooks.all.keys()]).toEqual(['hk2x']);
    });

    it('can be done again after a process has died over it', async () => {
      const client = await place().hub.workspace('starter');
      const { hooks } = place().calcom.account('cal_dead');
      const runner = place().hub.app.get(LifecycleRunner, { strict: false });
      const dead = Promise.withResolvers<never>();
      runner.connect = async (...call) => {
        await LifecycleRunner.prototype.connect.apply(runner, call);
        return dead.promise;
      };
      const first = connect(client, 'cal_dead');
      await until('the subscription is made', () => hooks.all.size === 1);
      Reflect.deleteProperty(runner, 'connect');
      expect(await connect(client, 'cal_dead')).toMatchObject({ status: 409, body: { error: 'connection_busy' } });

      place().calcom.faults.add({ kind: 'status', status: 401, times: 1 });
      await lookAfter(client);
      expect(await connect(client, 'cal_dead')).toMatchObject({ status: 201 });
      await lookAfter(client);
      expect([...hooks.all.keys()]).toEqual(['hk2x']);
      dead.reject(new Error('The process is gone.'));
      expect((await first).status).toBe(500);
    });
  });

  /** Has the connections of a workspace looked after now. */
  async function lookAfter(client: Client): Promise<void> {
    const { database, app } = place().hub;
    await database.pool.query('UPDATE connections SET due_at = now() WHERE workspace_id = $1', [client.workspaceId]);
    await app.get(ConnectionMonitor, { strict: false }).runNow();
  }

  describe('disconnecting', () => {
    it('removes the subscription, takes one that is gone as removed, and keeps history', async () => {
      for (const gone of [false, true]) {
        const { client, account } = await place().connected(`cal_part_${gone}`);
        const [hook] = [...account.hooks.all.values()];
        const booking = bookingWith(['ada@example.org']);
        await place().calcom.deliver(hook!, createdOf(booking), place().hub.url);
        await until('nothing is left to do', place().idle);
        if (gone) account.hooks.all.clear();
        expect((await client.delete('/v2/workspace/integrations/calcom')).status).toBe(200);
        expect(account.hooks.all.size).toBe(0);
        expect(await meetingsOf(client, 'ada@example.org')).toEqual([`scheduled ${booking.uid}`]);
        expect((await place().calcom.deliver(hook!, createdOf(booking), place().hub.url)).status).toBe(404);
      }
    });

    it('is done here at once while the provider is down, and there as soon as it is back', async () => {
      const { client, account } = await place().connected('cal_down');
      place().calcom.faults.add({ kind: 'status', status: 503 });
      expect((await client.delete('/v2/workspace/integrations/calcom')).status).toBe(200);
      expect(await client.post('/v2/plugins/calcom/backfill', { all: true })).toMatchObject({
        status: 409,
        body: { error: 'not_connected' },
      });
      expect(account.hooks.all.size).toBe(1);
      place().calcom.faults.clear();
      await place().hub.database.pool.query(`UPDATE connections SET due_at = now() WHERE state = 'disconnected'`);
      await place().hub.app.get(ConnectionMonitor, { strict: false }).runNow();
      await until('the provider was told', () => account.hooks.all.size === 0);
    });
  });

  describe('a provider that hangs', () => {
    const MS = 300;
    let giveBack: () => void;

    /** The hub waits ten seconds; here it waits as long as the test wants to. */
    beforeAll(() => {
      const runner = place().hub.app.get(LifecycleRunner, { strict: false });
      const own = { test: runner.test.bind(runner), check: runner.check.bind(runner) };
      runner.test = (plugin, trial) => own.test(plugin, trial, MS);
      runner.check = (plugin, connection) => own.check(plugin, connection, MS);
      giveBack = () => Object.assign(runner, own);
    });
    afterAll(() => giveBack?.());

    it('is explained in the error of a connection attempt, and nothing is saved', async () => {
      const client = await place().hub.workspace('starter');
      place().calcom.account('cal_mute');
      place().calcom.faults.add({ kind: 'hang' });
      expect(await connect(client, 'cal_mute')).toMatchObject({
        status: 502,
        body: { error: 'provider_unreachable', detail: expect.stringMatching(/cannot be reached.*try again later/) },
      });
      expect(await integration(client)).toMatchObject({ state: 'available', connection: null });
    });

    it('shows on the badge, which is well again when the provider is', async () => {
      const { client } = await place().connected('cal_badge');
      const look = async () => {
        const due = 'UPDATE connections SET due_at = now() WHERE workspace_id = $1';
        await place().hub.database.pool.query(due, [client.workspaceId]);
        await place().hub.app.get(ConnectionMonitor, { strict: false }).runNow();
        return (await integration(client)).connection;
      };
      place().calcom.faults.add({ kind: 'hang' });
      expect(await look()).toMatchObject({ last_error: 'There was no response within 300 ms.' });
      place().calcom.faults.clear();
      expect(await look()).toMatchObject({ webhook_active: true, last_error: null });
    });
  });

  it.each([
    ['GET', '/v2/bookings', 'limit=100', '2026-05-01', '', undefined],
    ['GET', '/v2/bookings', 'limit=100', undefined, '', 'cal-api-version'],
    ['GET', '/v2/bookings', 'limit=101', '2026-05-01', '', 'query/limit'],
    ['GET', '/v2/bookings', 'attendee=ada', '2026-05-01', '', 'additional properties'],
    ['GET', '/v2/webhooks', 'take=251', undefined, '', 'query/take'],
    ['POST', '/v2/webhooks', '', undefined, '{"active":true,"triggers":[]}', 'subscriberUrl'],
    ['POST', '/v2/webhooks', '', undefined, '{"active":1,"subscriberUrl":"x","triggers":["NO"]}', 'body/triggers/0'],
    ['PUT', '/v2/webhooks/1', '', undefined, '{}', 'Cannot PUT'],
  ])('the fake refuses what the provider would: %s %s?%s', (method, path, query, version, body, words) => {
    const headers = {
      authorization: 'Bearer k',
      'content-type': 'application/json',
      ...(version && { 'cal-api-version': version }),
    };
    const fault = faultIn({ method, path, query: new URLSearchParams(query), headers, body });
    if (words === undefined) expect(fault).toBeUndefined();
    else expect(fault).toContain(words);
  });
}
