import { Controller, Get } from '@nestjs/common';
import { FloodGate, MAX_LINES_PER_WINDOW } from '#kernel/telemetry/throttled-logger.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { type Fixture, send, startFixture } from '../http/http.fixture.js';

const REQUESTS = 60;

@Controller()
class FailingController {
  @Get('fails')
  fail(): never {
    throw new Error(`row ${Math.random()} is broken`);
  }

  @Get('away')
  away(): never {
    throw HubError.unavailable('the database is away');
  }

  @Get('fine')
  fine(): object {
    return {};
  }
}

let hub: Fixture;
beforeAll(async () => {
  hub = await startFixture([FailingController], { level: 'info' });
});
afterAll(() => hub.close());

const CALLER = { 'x-caller': 'key-1/growth' };
const flood = (path: string, headers = {}) =>
  Promise.all(Array.from({ length: REQUESTS }, () => send(`${hub.url}${path}`, { headers })));
const linesOf = (msg: string, route: string) =>
  hub.lines().filter(line => line['msg'] === msg && line['route'] === route);

describe('a flood', () => {
  it('of failures of one kind is logged up to a bound, with the first stack traces', async () => {
    await flood('/fails', CALLER);
    const lines = linesOf('a request failed', '/fails');
    expect(lines).toHaveLength(MAX_LINES_PER_WINDOW);
    expect(lines[0]).toMatchObject({ err: { stack: expect.stringContaining('FailingController') } });
  });

  it('of responses without the database is logged up to a bound', async () => {
    await flood('/away', CALLER);
    expect(linesOf('a request could not be served', '/away')).toHaveLength(MAX_LINES_PER_WINDOW);
  });

  it('of refused clients is logged up to a bound', async () => {
    await flood('/nowhere');
    expect(linesOf('request', '(none)')).toHaveLength(MAX_LINES_PER_WINDOW);
  });

  it('of requests that are served is logged whole', async () => {
    await flood('/fine', CALLER);
    expect(linesOf('request', '/fine')).toHaveLength(REQUESTS);
  });
});

describe('FloodGate', () => {
  it('counts what it leaves out and says so with the next line', () => {
    let now = 0;
    const gate = new FloodGate(() => now);
    const admitted = Array.from({ length: 25 }, () => gate.admit('a')).filter(Boolean);
    expect(admitted).toHaveLength(MAX_LINES_PER_WINDOW);
    expect(gate.admit('b')).toEqual({});
    now = 10_000;
    expect(gate.admit('a')).toEqual({ suppressed: 15 });
    expect(gate.admit('a')).toEqual({});
  });

  it('forgets kinds beyond a bound', () => {
    const gate = new FloodGate(() => 0);
    for (let i = 0; i < 2000; i++) for (let n = 0; n < 11; n++) gate.admit(`kind ${i}`);
    expect(Reflect.get(gate, 'windows').size).toBe(500);
  });
});
