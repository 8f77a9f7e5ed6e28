import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { PermanentError, RetryLater } from '@rapport/plugin-sdk';
import { conformance, testHub, type TestHub } from '@rapport/plugin-sdk/testing';
import { AcmeDialerPlugin } from '../src/acme-dialer.plugin.js';
import { toCall, toObservation } from '../src/call.js';
import fixtures from '../src/fixtures.js';
import manifest from '../src/manifest.js';

const ended = fixtures.inbound.calls;
let hub: TestHub;
const open = async () => (hub = await testHub(AcmeDialerPlugin, manifest));

afterEach(() => hub?.close());

describe('calls', () => {
  it('logs a call once on the timeline of its contact, however often it is delivered', async () => {
    await open();
    assert.deepEqual(await hub.inbound('calls', ended), { status: 200, delivered: true });
    hub.http
      .expect('GET', '/v1/calls', { query: { email: 'ada@example.org', limit: '100' } })
      .reply(200, { calls: [ended.call] });
    await hub.event('contact.imported', fixtures.events['contact.imported']);
    await hub.drain();
    assert.deepEqual(
      hub.timeline('ada@example.org').map(({ property, observed_at }) => [property, observed_at]),
      [['interaction.call_held', '2026-01-05T10:12:00.000Z']],
    );
  });

  it('takes no webhook with a wrong signature', async () => {
    await open();
    assert.deepEqual(await hub.inbound('calls', ended, { signed: false }), { status: 401, delivered: false });
  });

  it('leaves out what is no call', () => {
    const nearly = { id: 'c-1', ended_at: 'yesterday', with: { email: 'ada@example.org' } };
    for (const json of [undefined, null, 'x', [], nearly] as const) {
      assert.equal(toCall(json), undefined);
    }
    assert.equal(toObservation(toCall(ended.call)!).external_id, 'acme-dialer:call:c-1');
  });

  it('waits when Acme Dialer says so, and gives up when it refuses the key', async () => {
    await open();
    hub.http.expect('GET', '/v1/calls').reply(429, null, { 'retry-after': '7' });
    await assert.rejects(
      hub.job('backfill', { email: 'ada@example.org' }),
      (error: RetryLater) => error.afterMs === 7000,
    );
    hub.http.expect('GET', '/v1/calls').reply(401);
    await assert.rejects(hub.job('backfill', { email: 'ada@example.org' }), PermanentError);
  });
});

describe('what people pick', () => {
  it('is the calls with somebody, and a prompt that says where to look', async () => {
    await open();
    hub.http.expect('GET', '/v1/calls', { query: { email: 'ada@example.org' } }).reply(200, { calls: [ended.call] });
    const read = await hub.resource('acme-dialer://calls/ada%40example.org');
    assert.match(JSON.stringify(read), /c-1/);
    assert.match(JSON.stringify(await hub.prompt('acme_dialer_prepare_call', { email: 'ada@example.org' })), /ada@/);
    await assert.rejects(hub.prompt('acme_dialer_prepare_call'), /"email" is missing/);
  });
});

describe('the connection', () => {
  it('subscribes once and unsubscribes', async () => {
    await open();
    hub.http.expect('POST', '/v1/webhooks', { json: { events: ['call.ended'] } }).reply(201, { id: 'w-1' });
    await hub.connect();
    hub.http.expect('GET', '/v1/webhooks/w-1').reply(200, { id: 'w-1' }).times(2);
    await hub.connect();
    assert.deepEqual(await hub.check(), { webhook_active: true });
    hub.http.expect('DELETE', '/v1/webhooks/w-1').reply(204);
    await hub.disconnect();
    assert.deepEqual(hub.store.entries(), {});
  });
});

describe('the contract', () => {
  for (const check of conformance(AcmeDialerPlugin, manifest, fixtures)) it(check.name, check.run);
});
