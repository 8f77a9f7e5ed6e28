import { Controller, Get, Post } from '@nestjs/common';
import { until } from '../../support/until.js';
import { type Fixture, send, startFixture } from './http.fixture.js';

@Controller()
class LimitedController {
  @Get('thing')
  thing(): object {
    return {};
  }

  @Post('thing')
  send(): object {
    return {};
  }
}

let hub: Fixture;
beforeAll(async () => {
  hub = await startFixture([LimitedController], { env: { RATE_LIMITS: 'starter=2,growth=3,scale=0' } });
});
afterAll(() => hub.close());

const ask = (caller?: string) => send(`${hub.url}/thing`, { headers: caller ? { 'x-caller': caller } : {} });
let workspaces = 0;
const statusesOf = async (caller: string, times: number) =>
  (await Promise.all(Array.from({ length: times }, () => ask(caller)))).map(({ status }) => status);
const WINDOW_MS = 5_000;

/** Windows begin at multiples of their length, for all processes alike. */
const currentWindow = () => Math.floor(Date.now() / WINDOW_MS);

/** Has a workspace call that has never called before; again with another one if another window began meanwhile. */
async function withinAWindow<T>(call: (caller: string) => Promise<T>): Promise<T> {
  for (;;) {
    const window = currentWindow();
    const called = await call(`key-w/starter/w-${++workspaces}`);
    if (currentWindow() === window) return called;
  }
}
const count = (statuses: number[], status: number) => statuses.filter(each => each === status).length;

describe('the rate limit', () => {
  it('lets five times the rate of the plan come at once and says what is left', async () => {
    const { headers } = await ask('key-a/starter/w-a');
    expect(headers.get('ratelimit-limit')).toBe('10');
    expect(headers.get('ratelimit-remaining')).toBe('9');
    expect(Number(headers.get('ratelimit-reset'))).toBeLessThanOrEqual(5);
    expect((await ask('key-b/growth/w-b')).headers.get('ratelimit-limit')).toBe('15');
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

  it('counts all keys of a workspace together, and workspaces apart', async () => {
    const { statuses, other } = await withinAWindow(async caller => {
      const workspace = caller.split('/')[2]!;
      const keys = Array.from({ length: 20 }, (_, i) => `key-${i}/starter/${workspace}`);
      const answers = await Promise.all(keys.map(key => ask(key)));
      return { statuses: answers.map(({ status }) => status), other: (await ask(`${keys[0]}-other`)).status };
    });
    expect([count(statuses, 200), count(statuses, 429), other]).toEqual([10, 10, 200]);
  });

  it('charges rows, kilobytes and the calls of a batch', async () => {
    const { headers, cost } = await withinAWindow(async caller => {
      const json = { rows: Array(450).fill('x'.repeat(300)) };
      const answer = await send(`${hub.url}/thing`, { json, headers: { 'x-caller': caller } });
      return { headers: answer.headers, cost: 1 + 4 + Math.floor(JSON.stringify(json).length / 65_536) };
    });
    expect(cost).toBe(7);
    expect(headers.get('ratelimit-remaining')).toBe(String(10 - cost));
  });

  it('lets the key in again when the time has passed', async () => {
    await statusesOf('key-f/starter/w-f', 11);
    await until('the key may call again', async () => (await ask('key-f/starter/w-f')).status === 200);
  });

  it('is not there for a plan without one, nor for routes without a caller', async () => {
    expect(count(await statusesOf('key-g/scale/w-g', 40), 200)).toBe(40);
    expect((await ask('key-g/scale/w-g')).headers.get('ratelimit-limit')).toBeNull();
    expect((await ask()).headers.get('ratelimit-limit')).toBeNull();
  });
});
