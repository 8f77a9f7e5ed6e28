import { Body, Controller, Get, Logger, Post } from '@nestjs/common';
import { createLogger, redactFields, redactText } from '#kernel/telemetry/logger.js';
import { type Fixture, send, startFixture } from '../http/http.fixture.js';

const KEY = 'rap_live_4fTqZ8pVw0aLr3NkYc6dUe1HsJb5XmGt0ox2';

@Controller()
class TalkingController {
  private readonly logger = new Logger('talking');

  @Post('talk')
  talk(@Body() body: object): object {
    this.logger.log({ msg: 'took a body', body, headers: { authorization: `Bearer ${KEY}` } });
    this.logger.warn(`somebody used ${KEY} at postgres://rapport:hunter2@db/rapport`);
    const error = Object.assign(new Error(`could not log in with ${KEY}`), { config: { api_key: 'plain-key-1' } });
    this.logger.error({ msg: 'failed', err: new Error('outer', { cause: error }) });
    return {};
  }

  @Get('people/:focus')
  person(): object {
    return {};
  }
}

let hub: Fixture;
beforeAll(async () => {
  hub = await startFixture([TalkingController], { level: 'trace' });
});
afterAll(() => hub.close());

const lineOf = (id: string, msg: string) => hub.lines().find(line => line['request_id'] === id && line['msg'] === msg);

describe('the line of a request', () => {
  it('contains the caller, the route, the status and the duration', async () => {
    await send(`${hub.url}/people/ada@acme.io?email=ada@acme.io`, {
      headers: { 'x-request-id': 'request-1', 'x-caller': 'key-1/growth', 'x-rapport-client': 'mcp' },
    });
    expect(lineOf('request-1', 'request')).toEqual({
      level: 'info',
      time: expect.any(Number),
      method: 'GET',
      route: '/people/:focus',
      status: 200,
      ms: expect.any(Number),
      request_id: 'request-1',
      actor_kind: 'key',
      actor_id: 'key-1',
      workspace_id: 'w-1',
      client: 'mcp',
      msg: 'request',
    });
  });

  it('takes the label of any brand and calls everybody else api', async () => {
    await send(`${hub.url}/people/a`, { headers: { 'x-request-id': 'request-2', 'x-acme-client': 'sdk-js/1.2' } });
    await send(`${hub.url}/people/a`, { headers: { 'x-request-id': 'request-3' } });
    expect(lineOf('request-2', 'request')).toMatchObject({ client: 'sdk-js/1.2' });
    expect(lineOf('request-3', 'request')).toMatchObject({ client: 'api' });
  });

  it('is written for refusals too, and for probes only when somebody debugs', async () => {
    await send(`${hub.url}/nowhere`, { headers: { 'x-request-id': 'request-4' } });
    await send(`${hub.url}/healthz`, { headers: { 'x-request-id': 'request-5' } });
    expect(lineOf('request-4', 'request')).toMatchObject({ level: 'info', status: 404, route: '(none)' });
    expect(lineOf('request-5', 'request')).toMatchObject({ level: 'debug', status: 200 });
  });
});

describe('secrets', () => {
  it('reach no line, wherever they come from', async () => {
    const { body } = await send(`${hub.url}/talk`, {
      json: {
        credentials: { token: 'plain-key-2' },
        nested: [{ deep: { client_secret: 'plain-key-3', apiKey: 'plain-key-4', 'X-API-Key': 'plain-key-5' } }],
        password: 'plain-key-6',
        note: `my key is ${KEY}`,
        focus: 'ada@acme.io',
      },
      headers: { cookie: 'session=plain-key-7', 'x-api-key': 'plain-key-8', authorization: `Bearer ${KEY}` },
    });
    expect(body).toEqual({});
    const text = JSON.stringify(hub.lines());
    expect(text).toContain('ada@acme.io');
    expect(text).toContain('could not log in with rap_live_[hidden]');
    expect(text).toContain('postgres://rapport:[hidden]@db/rapport');
    for (const secret of [KEY, KEY.slice(9), 'plain-key', 'hunter2']) expect(text).not.toContain(secret);
  });

  it('are recognised by their name, eight levels deep', () => {
    expect(
      redactFields({ key_id: 1, api_keys: [{ name: 'x', secret: 'y' }], token_count: 3, refresh_token: 'z' }),
    ).toEqual({
      key_id: 1,
      api_keys: [{ name: 'x', secret: '[hidden]' }],
      token_count: 3,
      refresh_token: '[hidden]',
    });
    const loop: Record<string, unknown> = { name: 'loop' };
    loop['self'] = loop;
    expect(JSON.stringify(redactFields(loop))).toContain('[deeper]');
  });

  it('are recognised by their form', () => {
    expect(redactText(`Authorization: bearer abc.def and ${KEY}.`)).toBe(
      'Authorization: bearer [hidden] and rap_live_[hidden].',
    );
    expect(redactText('https://acme.io/a:b@c and a@b.c')).toBe('https://acme.io/a:b@c and a@b.c');
  });
});

it('keeps the types of what it writes', () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: line => void lines.push(line) });
  log.info({ count: 3, at: new Date(0), list: [1, null] }, 'numbers');
  expect(JSON.parse(lines[0]!)).toEqual({
    level: 'info',
    time: expect.any(Number),
    count: 3,
    at: '1970-01-01T00:00:00.000Z',
    list: [1, null],
    msg: 'numbers',
  });
});
