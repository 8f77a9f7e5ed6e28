import { generateKey } from '#kernel/auth/key-format.js';
import { HeldResponses } from '#kernel/limits/public-rate-limiter.js';
import { countConnects } from '../support/database/count-connects.js';
import { type Client, type TestHub, startTestHub } from '../support/hub.js';

const PER_WINDOW = 20;
let hub: TestHub;
let tenant: Client;
beforeAll(async () => {
  hub = await startTestHub({ PUBLIC_RATE_LIMIT: String(PER_WINDOW / 10), TRUST_PROXY: '1' });
  tenant = await hub.workspace();
});
afterAll(() => hub?.end());

const from = (address: string, path: string, init: RequestInit = {}) =>
  fetch(hub.url + path, { ...init, headers: { 'x-forwarded-for': address, ...init.headers } });
const form = (fields: Record<string, string>): RequestInit => ({ method: 'POST', body: new URLSearchParams(fields) });
type Answer = Pick<Response, 'status' | 'headers'>;
const drained = async (answer: Response): Promise<Answer> => {
  await answer.arrayBuffer();
  return answer;
};
const count = (answers: readonly Answer[], status: number) => answers.filter(answer => answer.status === status).length;

const WINDOW_MS = 10_000;
let addresses = 0;

/** Attacks from a new address, and again from another one if the limit was renewed meanwhile; then checks. */
async function withinAWindow(attack: (address: string, n: number) => Promise<() => void>): Promise<void> {
  for (let tries = 0; tries < 5; tries++) {
    const startedAt = performance.now();
    const n = ++addresses;
    const check = await attack(`192.0.2.${n}`, n);
    if (performance.now() - startedAt < WINDOW_MS) return check();
  }
  throw new Error('the machine is too slow for this test');
}

describe('an unauthenticated client', () => {
  const attacks: [string, RequestInit][] = [
    [
      '/oauth/token',
      form({ grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id: 'rapport-cli', device_code: 'x' }),
    ],
    ['/oauth/revoke', form({ token: generateKey().key })],
    ['/oauth/authorize?client_id=rap_client_AAAAAAAAAAAAAAAAAAAAAA', {}],
    ['/auth/approvals', {}],
    ['/oauth/register', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }],
    ['/healthz', {}],
    ['/openapi.json', {}],
    ['/nothing-here', {}],
  ];

  it.each(attacks)('is refused at %s before the database is read', async (path, init) => {
    const attack = (address: string) => from(address, path, init).then(drained);
    await withinAWindow(async address => {
      await Promise.all(Array.from({ length: PER_WINDOW }, () => attack(address)));
      const attempts = 60;
      const refused: Answer[] = [];
      const started = await countConnects(hub.database, async () => {
        refused.push(...(await Promise.all(Array.from({ length: attempts }, () => attack(address)))));
      });
      return () => {
        expect(count(refused, 429)).toBe(attempts);
        expect(refused[0]!.headers.get('retry-after')).toMatch(/^\d+$/);
        expect(started).toBeLessThan(attempts);
      };
    });
  });

  it('is counted by the /64 of an IPv6 address, and not together with others', () =>
    withinAWindow(async (_, n) => {
      const hosts = Array.from({ length: PER_WINDOW }, (__, i) => `2001:db8:${n}:1::${(i + 1).toString(16)}`);
      const burst = await Promise.all(hosts.map(host => from(host, '/healthz').then(drained)));
      const same = await from(`2001:db8:${n}:1:aaaa::1`, '/healthz').then(drained);
      const other = await from(`2001:db8:${n}:2::1`, '/healthz').then(drained);
      return () => expect([count(burst, 200), same.status, other.status]).toEqual([PER_WINDOW, 429, 200]);
    }));

  it('cannot choose an address by a header of its own', () =>
    withinAWindow(async address => {
      const forge = (_: unknown, i: number) => from(`198.51.100.${i}, ${address}`, '/healthz').then(drained);
      const answers = await Promise.all(Array.from({ length: PER_WINDOW + 5 }, forge));
      return () => expect(count(answers, 429)).toBe(5);
    }));

  it('gets 401 for every made-up key, while a valid key of the same network passes', async () => {
    const guesses = Array.from({ length: 60 }, () =>
      from('203.0.113.60', '/v2/people', { headers: { authorization: `Bearer ${generateKey().key}` } }).then(drained),
    );
    expect(count(await Promise.all(guesses), 401)).toBe(60);
    const valid = await from('203.0.113.60', '/v2/people', { headers: { authorization: `Bearer ${tenant.key}` } });
    expect(valid.status).toBe(200);
    expect(await valid.json()).toMatchObject({ people: [] });
  });
});

describe('held responses', () => {
  it('are bounded for a network and released', async () => {
    const responses = new HeldResponses();
    const held = await Promise.all(Array.from({ length: 5 }, () => responses.hold('192.0.2.1', 1, 3)));
    expect(held.filter(Boolean).length).toBe(3);
    expect(responses.held).toBe(0);
    expect(await responses.hold('192.0.2.1', 1, 3)).toBe(true);
  });
});
