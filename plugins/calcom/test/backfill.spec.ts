import { testHub, type TestHub } from '@rapport/plugin-sdk/testing';
import { CalcomPlugin } from '../src/calcom.plugin.js';
import manifest from '../src/manifest.js';
import { retryAfterMs, rateLimitDelayMs } from '../src/provider.js';

let hub: TestHub;
const NONE = { status: 'success', data: [], pagination: { nextCursor: null, hasMore: false } };

beforeEach(async () => {
  hub = await testHub(CalcomPlugin, manifest);
});
afterEach(() => hub.close());

const imported = (email: string) =>
  hub.event('contact.imported', { entity_id: email, email, name: null, import_id: 'i-1' });
const requests = () => hub.http.sent.filter(({ url }) => url.pathname === '/v2/bookings').length;
const progress = async () => (await hub.route('progress', { params: { id: 'i-1' } })).body;

it('asks twenty times, rests ten seconds, and goes on', async () => {
  hub.http.serve(() => ({ status: 200, body: NONE }));
  for (let n = 0; n < 45; n++) await imported(`person-${n}@example.org`);
  await hub.drain();
  expect(requests()).toBe(20);
  expect(await progress()).toMatchObject({ status: 'running', contacts_done: 20, contacts_waiting: 25 });
  await hub.clock.advance('10s');
  expect(requests()).toBe(40);
  await hub.clock.advance('10s');
  expect([requests(), await progress()]).toMatchObject([45, { status: 'done', contacts_done: 45 }]);
});

it('rests as long as the limit of the provider says, before and after it is reached', async () => {
  const headers = { 'x-ratelimit-remaining-default': '3', 'x-ratelimit-reset-default': '42' };
  hub.http.expect('GET', '/v2/bookings').reply(200, NONE, headers);
  hub.http.expect('GET', '/v2/bookings').reply(429, null, { 'x-ratelimit-reset-default': '30' });
  for (const name of ['ada', 'grace', 'linus']) await imported(`${name}@example.org`);
  await hub.drain();
  expect(requests()).toBe(1);
  await hub.clock.advance('41s');
  expect(requests()).toBe(1);
  await hub.clock.advance('1s');
  expect(requests()).toBe(2);
  hub.http.serve(() => ({ status: 200, body: NONE }));
  await hub.clock.advance('30s');
  expect([requests(), await progress()]).toMatchObject([4, { status: 'done', contacts_done: 3 }]);
});

it('goes on where a process died, with the page that it had not done', async () => {
  const page = (nextCursor: string | null) => ({ ...NONE, pagination: { nextCursor, hasMore: nextCursor !== null } });
  hub.http.expect('GET', '/v2/bookings').reply(200, page('second'));
  hub.http.expect('GET', '/v2/bookings', { query: { cursor: 'second' } }).reply(500);
  await imported('ada@example.org');
  await expect(hub.drain()).rejects.toThrow('Cal.com answered 500');
  expect(await progress()).toMatchObject({ status: 'running', contacts_done: 0, contacts_waiting: 1 });
  hub.http.expect('GET', '/v2/bookings', { query: { cursor: 'second' } }).reply(200, page(null));
  await hub.job('backfill', { turn: 0 });
  await hub.drain();
  expect(await progress()).toMatchObject({ status: 'done', contacts_done: 1, contacts_waiting: 0 });
  expect(hub.http.sent.map(({ url }) => url.searchParams.get('cursor'))).toEqual([null, 'second', 'second']);
});

it('ends with a list that points to where it is', async () => {
  hub.http.serve(() => ({ status: 200, body: { ...NONE, pagination: { nextCursor: 'here', hasMore: true } } }));
  await imported('ada@example.org');
  await hub.drain();
  expect([requests(), await progress()]).toMatchObject([2, { status: 'done', contacts_done: 1 }]);
});

it('skips a contact that the provider refuses to look up', async () => {
  hub.http.serve(({ url }) =>
    url.searchParams.get('attendeeEmail') === 'odd@example.org' ? { status: 400 } : { status: 200, body: NONE },
  );
  for (const name of ['odd', 'ada']) await imported(`${name}@example.org`);
  await hub.drain();
  expect(await progress()).toMatchObject({ status: 'done', contacts_done: 1, contacts_failed: 1 });
});

it('reads the time of the limit as seconds from now, and as seconds since 1970 where it must be', () => {
  const now = new Date('2026-01-05T12:00:00Z');
  const received = (reset?: string): { headers: Record<string, string> } => ({
    headers: reset === undefined ? {} : { 'x-ratelimit-reset-default': reset },
  });
  const since1970 = String(now.getTime() / 1000 + 7);
  expect(['7', since1970, '0', 'soon', '', undefined].map(reset => retryAfterMs(received(reset), now))).toEqual([
    7000, 7000, 1000, 60_000, 60_000, 60_000,
  ]);
  expect(rateLimitDelayMs(received('7'), now)).toBe(0);
});
