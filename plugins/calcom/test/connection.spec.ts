import { PermanentError } from '@rapport/plugin-sdk';
import { testHub, type TestHub } from '@rapport/plugin-sdk/testing';
import { CalcomPlugin } from '../src/calcom.plugin.js';
import manifest from '../src/manifest.js';

let hub: TestHub;

beforeEach(async () => {
  hub = await testHub(CalcomPlugin, manifest);
});
afterEach(() => hub.close());

const ours = () => hub.connection.inbound['bookings']!;
const triggers = ['BOOKING_CREATED', 'BOOKING_RESCHEDULED', 'BOOKING_CANCELLED'];
const foreign = { id: 'theirs', subscriberUrl: 'https://elsewhere.example/hook', active: true, triggers };

it('adopts a subscription of its own address, and touches no other', async () => {
  hub.http.expect('POST', '/v2/webhooks').reply(409, { status: 'error', error: { message: 'exists already' } });
  const webhook = { id: 17, subscriberUrl: ours().url, active: false, triggers: [] };
  hub.http.expect('GET', '/v2/webhooks').reply(200, { status: 'success', data: [foreign, webhook] });
  const input = { active: true, triggers, secret: ours().secret! };
  hub.http.expect('PATCH', '/v2/webhooks/17', { json: input }).reply(200, { status: 'success', data: webhook });
  await hub.connect();
  expect(await hub.store.get('webhook_id')).toBe('17');
});

it('finds its subscription behind many others', async () => {
  const page = Array.from({ length: 250 }, (_, n) => ({ ...foreign, id: `theirs-${n}` }));
  const webhook = { id: 'ours', subscriberUrl: ours().url, active: true, triggers };
  hub.http.expect('GET', '/v2/webhooks', { query: { skip: '0' } }).reply(200, { data: page });
  hub.http.expect('GET', '/v2/webhooks', { query: { skip: '250' } }).reply(200, { data: [webhook] });
  expect(await hub.check()).toMatchObject({ webhook_active: true });
  hub.http.expect('GET', '/v2/webhooks').reply(200, { data: [{ ...webhook, active: false }] });
  expect(await hub.check()).toMatchObject({ webhook_active: false, message: expect.stringContaining('connect again') });
});

it('says that the address of the hub must be public, without telling the rest of it', async () => {
  const message = `Webhook URL is not allowed: ${ours().url}`;
  hub.http.expect('POST', '/v2/webhooks').reply(400, { status: 'error', error: { code: 'BadRequest', message } });
  const refusal: unknown = await hub.connect().catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(PermanentError);
  expect(String(refusal)).toMatch(/public https addresses only.*set PUBLIC_URL/);
  expect(String(refusal)).not.toContain('/hooks/');
});

it('removes what a process that died has made, by its address', async () => {
  hub.http.expect('GET', '/v2/webhooks').reply(200, { data: [foreign, { id: 'ours', subscriberUrl: ours().url }] });
  hub.http.expect('DELETE', '/v2/webhooks/ours').reply(200, { data: {} });
  await hub.disconnect();
});
