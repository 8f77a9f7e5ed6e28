import { Body, Controller, Get, HttpCode, NotFoundException, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { errorTable } from '#kernel/errors/error-table.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { BATCH_BODY_LIMITS, BodyLimit, DEFAULT_BODY_LIMITS, MAX_OBJECT_MEMBERS } from '#kernel/http/json-parser.js';
import { rawRequest } from '../../support/network/raw-request.js';
import { type Fixture, send, startFixture } from './http.fixture.js';

const MIB = 1024 * 1024;

@Controller()
class FailingController {
  @Get('unauthorized')
  unauthorized(): never {
    throw HubError.unauthorized();
  }

  @Get('ambiguous-plan')
  plan(): never {
    throw HubError.planRequired('growth');
  }

  @Get('busy')
  busy(): never {
    throw HubError.unavailable('Come back later.', new Error('the secret reason'), 7);
  }

  @Get('away')
  away(): never {
    throw new HubError('provider_unreachable', { detail: 'Acme is away.' });
  }

  @Get('bug')
  bug(): never {
    throw new TypeError('relation "observations" does not exist');
  }

  @Get('text-bug')
  textBug(): never {
    // oxlint-disable-next-line no-throw-literal
    throw 'a text';
  }

  @Get('nest')
  nest(): never {
    throw new NotFoundException('/etc/passwd');
  }

  @Get('dressed/bug')
  dressed(): never {
    throw new Error('inside');
  }

  @Get('raw-bug')
  rawBug(@Res() reply: FastifyReply): void {
    reply.raw.writeHead(200, { 'content-type': 'text/plain' });
    reply.raw.write('half of ');
    throw new Error('too late for another answer');
  }

  @Get('people/:focus')
  person(@Param('focus') focus: string): { focus: string } {
    return { focus };
  }

  @Post('echo')
  @HttpCode(200)
  echo(@Body() body: unknown): { body: unknown } {
    return { body: body ?? null };
  }

  @Post('large')
  @HttpCode(200)
  @BodyLimit(BATCH_BODY_LIMITS)
  large(@Body() body: { text: string }): { length: number } {
    return { length: body.text.length };
  }
}

let hub: Fixture;
beforeAll(async () => {
  hub = await startFixture([FailingController], {
    errorShapes: [
      {
        matches: path => path.startsWith('/dressed'),
        format: (error, id) => ({ status: 418, body: { dressed: error.code, id } }),
      },
    ],
  });
});
afterAll(() => hub.close());

const get = (path: string, headers = {}) => send(hub.url + path, { headers });
const post = (path: string, body: string, headers = {}) => send(hub.url + path, { method: 'POST', body, headers });

describe('errors that a service throws', () => {
  it('answers 401 with exactly the body of the interface', async () => {
    const answer = await get('/unauthorized');
    expect(answer.status).toBe(401);
    expect(answer.text).toBe('{"error":"unauthorized"}');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="rapport"');
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('gives code, sentence, further fields and the request id', async () => {
    const { status, body, headers } = await get('/ambiguous-plan');
    expect(status).toBe(403);
    expect(body).toEqual({
      error: 'plan_required',
      detail: 'This needs the plan "growth".',
      plan: 'growth',
      request_id: headers.get('x-request-id'),
    });
  });

  it('says when to come back', async () => {
    const { status, body, headers } = await get('/busy');
    expect([status, headers.get('retry-after'), body.detail]).toEqual([503, '7', 'Come back later.']);
    expect(JSON.stringify(body)).not.toContain('secret reason');
    expect(hub.lines()).toContainEqual(expect.objectContaining({ level: 'warn', request_id: body.request_id }));
  });

  it('puts a provider that is away into the log as a warning in words', async () => {
    const { body } = await get('/away');
    const [line, ...more] = hub.lines().filter(each => each.request_id === body.request_id && each.level !== 'info');
    expect(more).toEqual([]);
    expect(line).toMatchObject({ level: 'warn', error: 'provider_unreachable', detail: 'Acme is away.' });
    expect(JSON.stringify(line)).not.toContain('stack');
  });

  it('tells nobody but the log what a bug was about', async () => {
    for (const path of ['/bug', '/text-bug']) {
      const { status, body } = await get(path);
      expect([status, body]).toEqual([
        500,
        { error: 'internal_error', detail: errorTable.internal_error.detail, request_id: expect.any(String) },
      ]);
      const line = hub.lines().find(({ level, request_id }) => level === 'error' && request_id === body.request_id);
      expect(line).toMatchObject({ method: 'GET', route: path });
    }
    expect(JSON.stringify(hub.lines())).toContain('does not exist');
  });

  it('says nothing that an exception of the framework says', async () => {
    const { status, body } = await get('/nest');
    expect([status, body.error]).toEqual([404, 'not_found']);
    expect(JSON.stringify(body)).not.toContain('passwd');
  });

  it('lets a route of another protocol format its errors', async () => {
    const { status, body } = await get('/dressed/bug');
    expect([status, body]).toEqual([418, { dressed: 'internal_error', id: expect.any(String) }]);
    expect((await get('/dressed/nothing')).body.dressed).toBe('not_found');
  });

  it('breaks off an answer that had begun', async () => {
    await expect(fetch(`${hub.url}/raw-bug`).then(answer => answer.text())).rejects.toThrow();
    expect((await get('/people/ada')).status).toBe(200);
  });
});

const { maxNames, maxValues } = DEFAULT_BODY_LIMITS;
const objectOf = (count: number) => `{${Array.from({ length: count }, (_, i) => `"n${i}":0`).join(',')}}`;
const withNames = (count: number) =>
  `[${Array.from({ length: Math.ceil(count / 500) }, (_, i) => objectOf(Math.min(500, count - i * 500))).join(',')}]`;
const withValues = (count: number) => `[${Array.from({ length: count - 1 }, () => '1').join(',')}]`;

describe('what is refused before a handler', () => {
  const refusals: [name: string, ask: () => ReturnType<typeof send>, status: number, error: string][] = [
    ['an unknown path', () => get('/nowhere?email=a@b.c'), 404, 'not_found'],
    ['an unknown method', () => send(`${hub.url}/bug`, { method: 'PUT' }), 404, 'not_found'],
    ['broken JSON', () => post('/echo', '{"a":'), 400, 'invalid_json'],
    [
      'what is no UTF-8',
      () => send(`${hub.url}/echo`, { method: 'POST', body: new Uint8Array([0x22, 0xff, 0x22]) }),
      400,
      'invalid_json',
    ],
    ['__proto__', () => post('/echo', '{"a":[{"__proto__":{"admin":true}}]}'), 400, 'invalid_json'],
    ['constructor.prototype', () => post('/echo', '{"constructor":{"prototype":{}}}'), 400, 'invalid_json'],
    ['33 levels', () => post('/echo', '['.repeat(33) + ']'.repeat(33)), 400, 'invalid_json'],
    ['a hundred thousand levels', () => post('/echo', '['.repeat(100_000) + ']'.repeat(100_000)), 400, 'invalid_json'],
    ['a megabyte of brackets', () => post('/echo', '['.repeat(MIB)), 400, 'invalid_json'],
    ['more names than a route takes', () => post('/echo', withNames(maxNames + 1)), 413, 'too_large'],
    ['more values than a route takes', () => post('/echo', withValues(maxValues + 1)), 413, 'too_large'],
    ['a reserved name in escapes', () => post('/echo', String.raw`{"\u005f_proto__":{}}`), 400, 'invalid_json'],
    ['a body over 1 MiB', () => post('/echo', JSON.stringify('x'.repeat(MIB))), 413, 'too_large'],
    [
      'another content type',
      () => post('/echo', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      'unsupported_media_type',
    ],
    ['plain text', () => post('/echo', '{}', { 'content-type': 'text/plain' }), 415, 'unsupported_media_type'],
    ['a broken content type', () => post('/echo', '{}', { 'content-type': 'json;;' }), 415, 'unsupported_media_type'],
    ['bad percent-encoding', () => get('/people/%E0%A4%A'), 400, 'invalid_request'],
    ['a NUL in the path', () => get('/people/a%00b'), 400, 'invalid_request'],
    ['a NUL in a text', () => post('/echo', '{"a":{"b":[1,"x\\u0000"]}}'), 400, 'invalid_request'],
    ['half a surrogate pair', () => post('/echo', '{"a":"\\ud800"}'), 400, 'invalid_request'],
    ['an endless path', () => get(`/people/${'a'.repeat(3000)}`), 414, 'path_too_long'],
  ];

  it.each(refusals)('refuses %s', async (_, ask, status, error) => {
    const answer = await ask();
    expect([answer.status, answer.body]).toEqual([
      status,
      expect.objectContaining({ error, request_id: expect.any(String) }),
    ]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-request-id')).toBe(answer.body.request_id);
  });

  it('hears out who sends far too much, so that they can read the refusal', async () => {
    const body = JSON.stringify('x'.repeat(8 * MIB));
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('/echo', body)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 413));
  });

  it.each([
    ['a text that cannot be kept', '{"a":{"b":[1,"x\\u0000"]}}', 'a.b[1]'],
    ['a name that cannot be kept', '{"a":{"b\\u0000":1}}', 'a.b\uFFFD'],
    ['a name that reaches a prototype', '{"a":[1,{"__proto__":{}}]}', 'a[1].__proto__'],
    ['a constructor with a prototype', '{"a":{"constructor":{"prototype":1}}}', 'a.constructor'],
    ['a number without end', '{"a":[1,{"b":1e400}]}', 'a[1].b'],
    ['a number of many digits', `{"a":[1,{"b":2${'0'.repeat(308)}}]}`, 'a[1].b'],
    [
      'what is nested too deep',
      `{"a":{"b":${'['.repeat(33)}${']'.repeat(33)}}}`,
      `a.b${'[0]'.repeat(30)}`.slice(0, 79),
    ],
  ])('names the field of %s', async (_, sent, field) => {
    const { status, body } = await post('/echo', sent);
    expect({ status, field: body.details?.[0].field }).toEqual({ status: 400, field: expect.stringContaining(field) });
  });

  it.each([
    ['members', withNames(maxNames + 1), maxNames, `more than ${maxNames} object members`],
    [
      'one object',
      objectOf(MAX_OBJECT_MEMBERS + 1),
      MAX_OBJECT_MEMBERS,
      `more than ${MAX_OBJECT_MEMBERS} members in one`,
    ],
    ['values', withValues(maxValues + 1), maxValues, `more than ${maxValues} values`],
  ])('names the limit of %s and the fix', async (_, sent, max, message) => {
    const { body } = await post('/echo', sent);
    expect(body).toMatchObject({ max, detail: expect.stringContaining(message) });
    expect(body.detail).toContain('send it in several requests');
  });

  it('names the limit of bytes and the fix', async () => {
    const { body } = await post('/echo', JSON.stringify('x'.repeat(MIB)));
    expect(body).toMatchObject({ max: MIB, detail: expect.stringContaining(`${MIB} bytes`) });
  });

  it('leaves the prototype of everything alone', async () => {
    await post('/echo', '{"__proto__":{"admin":true}}');
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it.each([
    [
      'a flood of headers',
      ['GET /bug', Array.from({ length: 400 }, (_, i) => `x-${i}: ${'y'.repeat(50)}`)],
      431,
      'headers_too_large',
    ],
    ['what is no HTTP', ['GET /bug', ['no colon here']], 400, 'invalid_request'],
  ] as const)('answers %s as JSON and hangs up', async (_, [target, headers], status, error) => {
    const answer = await rawRequest(hub.url, target, headers);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([status, expect.objectContaining({ error })]);
    expect(answer.head).toMatch(/connection: close/i);
  });

  it('gives up on a request that does not arrive', async () => {
    const slow = await startFixture([FailingController], { env: { REQUEST_TIMEOUT_MS: '100' } });
    const answer = await rawRequest(slow.url, 'POST /echo', ['Content-Type: application/json', 'Content-Length: 10']);
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([408, 'request_timeout']);
    await slow.close();
  });
});

describe('what is not refused', () => {
  it('takes a JSON content type without a body', async () => {
    expect((await get('/people/ada', { 'content-type': 'application/json' })).body).toEqual({ focus: 'ada' });
    expect((await post('/echo', '')).body).toEqual({ body: null });
    expect((await send(`${hub.url}/echo`, { method: 'POST' })).body).toEqual({ body: null });
  });

  it('takes identifiers in the path as they are', async () => {
    const focus = 'https://www.linkedin.com/in/josé-müller-123/';
    expect((await get(`/people/${encodeURIComponent(focus)}`)).body).toEqual({ focus });
  });

  it('takes 32 levels and escaped text that only looks odd', async () => {
    const deep = `${'['.repeat(32)}${']'.repeat(32)}`;
    expect((await post('/echo', deep)).status).toBe(200);
    expect((await post('/echo', '{"a":"\\\\u0000 \\ud83d\\ude00"}')).body).toEqual({ body: { a: '\\u0000 😀' } });
  });

  it('takes larger bodies where a route says so', async () => {
    const { status, body } = await post('/large', JSON.stringify({ text: 'x'.repeat(9 * MIB) }));
    expect([status, body]).toEqual([200, { length: 9 * MIB }]);
    expect((await post('/large', JSON.stringify({ text: 'x'.repeat(10 * MIB) }))).status).toBe(413);
  });

  it('takes as many names and values as a route allows', async () => {
    expect((await post('/echo', withNames(maxNames))).status).toBe(200);
    expect((await post('/echo', withValues(maxValues))).status).toBe(200);
    expect((await post('/echo', objectOf(MAX_OBJECT_MEMBERS))).status).toBe(200);
  });

  it('reads texts that lie across the slices of a large body', async () => {
    const text = '漢"\\\n é😀'.repeat(40_000);
    const { status, body } = await post('/large', JSON.stringify({ text }));
    expect([status, body]).toEqual([200, { length: text.length }]);
  });

  it('takes names that only look reserved', async () => {
    const sent = { constructor: 1, proto: 2, 'a"b\\': { _proto__: 3 } };
    expect((await post('/echo', JSON.stringify(sent))).body).toEqual({ body: sent });
  });

  it('answers HEAD and OPTIONS', async () => {
    expect((await send(`${hub.url}/people/ada`, { method: 'HEAD' })).status).toBe(200);
    expect((await send(`${hub.url}/nowhere`, { method: 'HEAD' })).status).toBe(404);
    expect((await send(`${hub.url}/people/ada`, { method: 'OPTIONS' })).status).toBe(204);
  });
});
