import type { Receiver } from '../../fakes/receiver.js';
import type { Client, TestHub } from '../../support/hub.js';

/** Where the cases take place; filled in before they run. */
export interface Place {
  readonly hub: TestHub;
  readonly receiver: Receiver;
  readonly client: Client;
}

interface Trigger {
  readonly id: string;
  readonly secret: string;
}

const TRIGGERS = '/v2/plugins/triggers/triggers';

/** The ways in over HTTP: what they take, say and keep. */
export function doorCases(place: () => Place): void {
  it('of the hub itself lead here', async () => {
    const body = { url: place().receiver.url('/twin'), events: ['meeting.scheduled'], name: 'Twin' };
    const made = await place().client.post<{ trigger: Trigger }>('/v2/workspace/triggers', body, {
      'idempotency-key': 'twin',
    });
    expect(made).toMatchObject({ status: 201, body: { ok: true, trigger: { name: 'Twin', state: 'active' } } });
    const listed = await place().client.get<{ triggers: Trigger[] }>('/v2/workspace/triggers');
    expect(listed.body).toMatchObject({
      triggers: expect.arrayContaining([expect.objectContaining({ url: place().receiver.url('/twin') })]),
      available_events: expect.any(Array),
    });
    expect(JSON.stringify(listed.body)).not.toContain(made.body.trigger.secret);
    await place().client.delete(`${TRIGGERS}/${made.body.trigger.id}`);
  });

  it('reads, changes, pauses, tests, rotates, retries and deletes a trigger where it was created', async () => {
    const { client, receiver } = place();
    const home = '/v2/workspace/triggers';
    const body = { url: receiver.url('/home'), events: ['meeting.scheduled'], headers: { 'X-Team': 'sales' } };
    const created = await client.post<{ trigger: Trigger }>(home, body);
    const address = `${home}/${created.body.trigger.id}`;
    expect(await client.get(address)).toMatchObject({ status: 200, body: { trigger: { headers: ['X-Team'] } } });
    expect(await client.patch(address, { active: false, name: 'Home' })).toMatchObject({
      status: 200,
      body: { trigger: { state: 'paused', name: 'Home', url: body.url } },
    });
    expect(await client.patch(address, { format: 'xml' })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'format' }] },
    });
    const rotated = await client.post<{ secret: string }>(`${address}/rotate-secret`, { overlap_hours: 1 });
    expect(rotated).toMatchObject({ status: 200, body: { previous_valid_until: expect.any(String) } });
    expect(rotated.body.secret).not.toBe(created.body.trigger.secret);
    const tested = await client.post<{ delivery: { id: string } }>(`${address}/test`, {});
    expect(tested).toMatchObject({ status: 200, body: { delivered: true, delivery: { event: 'meeting.scheduled' } } });
    const delivery = `${address}/deliveries/${tested.body.delivery.id}`;
    expect(await client.get(`${address}/deliveries?limit=1`)).toMatchObject({
      status: 200,
      body: { deliveries: [{ id: tested.body.delivery.id }], has_more: false, next_cursor: null },
    });
    expect(await client.get(`${address}/deliveries?limit=0`)).toMatchObject({
      status: 400,
      body: { details: [{ field: 'limit' }] },
    });
    expect(await client.get(delivery)).toMatchObject({ status: 200, body: { delivery: { state: 'delivered' } } });
    expect(await client.patch(address, { active: true })).toMatchObject({ body: { trigger: { state: 'active' } } });
    expect(await client.post(`${delivery}/retry`, {})).toMatchObject({
      status: 202,
      body: { delivery: { state: 'waiting' } },
    });
    expect(await client.post(`${address}/recover`, { since: 'yesterday' })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'since' }] },
    });
    expect(await client.post(`${address}/recover`, { since: '2026-11-20' })).toMatchObject({
      status: 202,
      body: { recovered: 0, next_since: null },
    });
    expect(await client.delete(address)).toMatchObject({ status: 200, body: { ok: true } });
    expect(await client.get(address)).toMatchObject({ status: 404, body: { error: 'trigger_not_found' } });
  });

  it('name the wrong field and the fix', async () => {
    const usual = { url: place().receiver.url('/words'), events: ['reply.received'], dry_run: true };
    for (const [body, words] of [
      [{ ...usual, format: 'xml' }, 'format must be one of standard, slack.'],
      [{ ...usual, filter: { entity_type: 'robot' } }, 'filter.entity_type must be one of person, company.'],
      [{ ...usual, headers: { 'a b': 'x' } }, '"a b" is no name of a header'],
      [{ ...usual, headers: { 'X-Team': '1', 'x-team': '2' } }, 'The header "x-team" is named twice.'],
    ] as const) {
      expect(await place().client.post(TRIGGERS, body)).toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining(words) },
      });
    }
    expect(await place().client.get(`${TRIGGERS}?limit=5`)).toMatchObject({
      status: 400,
      body: { error: 'unknown_query_param', supported: [] },
    });
  });

  it('need no connection, and make none', async () => {
    const answer = await place().client.post('/v2/workspace/integrations', { provider: 'triggers', credentials: {} });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it('keep the answer with the secret sealed, and give it again for the same key', async () => {
    const body = { url: place().receiver.url('/sealed'), events: ['reply.received'] };
    const once = { 'idempotency-key': 'sealed' };
    const made = await place().client.post<{ trigger: Trigger }>(TRIGGERS, body, once);
    const rotate = `${TRIGGERS}/${made.body.trigger.id}/rotate-secret`;
    const rotated = await place().client.post<{ secret: string }>(rotate, {}, { 'idempotency-key': 'turned' });
    const { rows } = await place().hub.database.pool.query<{ body: string }>(
      "SELECT body FROM idempotency_keys WHERE key IN ('sealed', 'turned')",
    );
    expect(rows.map(row => row.body)).toEqual([expect.stringMatching(/^sealed:/), expect.stringMatching(/^sealed:/)]);
    const stored = await place().hub.database.pool.query<{ all: string }>(
      'SELECT t::text AS all FROM idempotency_keys t',
    );
    for (const secret of [made.body.trigger.secret, rotated.body.secret]) {
      expect(secret).toMatch(/^whsec_/);
      expect(stored.rows.map(row => row.all).join()).not.toContain(secret);
    }
    const again = await place().client.post<{ trigger: Trigger }>(TRIGGERS, body, once);
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([made.body, 'true']);
    await place().client.delete(`${TRIGGERS}/${made.body.trigger.id}`);
  });
}
