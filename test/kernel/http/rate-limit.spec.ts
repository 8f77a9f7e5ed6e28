import { Controller, Get } from '@nestjs/common';
import { until } from '../../support/until.js';
import { type Fixture, send, startFixture } from './http.fixture.js';

@Controller()
class LimitedController {
  @Get('thing')
  thing(): object {
    return {};
  }
}

let hub: Fixture;
beforeAll(async () => {
  hub = await startFixture([LimitedController], { env: { RATE_LIMITS: 'starter=2,growth=3,scale=0' } });
});
afterAll(() => hub.close());

const ask = (caller?: string) => send(`${hub.url}/thing`, { headers: caller ? { 'x-caller': caller } : {} });
const statusesOf = async (caller: string, times: number) =>
  (await Promise.all(Array.from({ length: times }, () => ask(caller)))).map(({ status }) => status);
const WINDOW_MS = 5_000;
let keys = 0;

/** Has a key call that has never called before; again with another one when the allowance was renewed meanwhile. */
async function withinAWindow<T>(call: (caller: string) => Promise<T>): Promise<T> {
  for (;;) {
    const begun = performance.now();
    const called = await call(`key-w${++keys}/starter`);
    if (performance.now() - begun < WINDOW_MS) return called;
  }
}
const count = (statuses: number[], status: number) => statuses.filter(each => each === status).length;

describe('the rate limit', () => {
  it('lets five times the rate of the plan come at once and says what is left', async () => {
    const { headers } = await ask('key-a/starter');
    expect(headers.get('ratelimit-limit')).toBe('10');
    expect(headers.get('ratelimit-remaining')).toBe('9');
    expect(Number(headers.get('ratelimit-reset'))).toBeLessThanOrEqual(5);
    expect((await ask('key-b/growth')).headers.get('ratelimit-limit')).toBe('15');
  });

  it('refuses what is more with 429 and the seconds to wait', async () => {
    const { statuses, body, headers } = await withinAWindow(async caller => ({
      statuses: await statusesOf(caller, 12),
      ...(await ask(caller)),
    }));
    expect([count(statuses, 200), count(statuses, 429)]).toEqual([10, 2]);
    expect(body).toMatchObject({ error: 'rate_limited', request_id: expect.any(String) });
    expect(headers.get('ratelimit-remaining')).toBe('0');
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(5);
  });

  it('counts every key for itself', async () => {
    await statusesOf('key-d/starter', 11);
    expect((await ask('key-e/starter')).status).toBe(200);
  });

  it('lets the key in again when the time has passed', async () => {
    await statusesOf('key-f/starter', 11);
    await until('the key may call again', async () => (await ask('key-f/starter')).status === 200);
  });

  it('is not there for a plan without one, nor for routes without a caller', async () => {
    expect(count(await statusesOf('key-g/scale', 40), 200)).toBe(40);
    expect((await ask('key-g/scale')).headers.get('ratelimit-limit')).toBeNull();
    expect((await ask()).headers.get('ratelimit-limit')).toBeNull();
  });
});
