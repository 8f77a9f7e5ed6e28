import { Readable } from 'node:stream';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { Body, Controller, Get, HttpCode, Post, StreamableFile } from '@nestjs/common';
import { runDetached, remainingMs, requestId } from '#kernel/request-context.js';
import { newRequestId } from '#kernel/http/request.hooks.js';
import { rawRequest } from '../../support/network/raw-request.js';
import { type Fixture, send, startFixture } from './http.fixture.js';

const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Longer than the time limit of a request, its grace, and the interval in which overdue ones are looked for. */
const OVERDUE_MS = 2_600;

async function* writeUntil(end: number): AsyncGenerator<string> {
  for (; performance.now() < end; await pause(50)) yield '.';
  yield `end, ${remainingMs()} ms left`;
}

async function* breakOff(): AsyncGenerator<string> {
  yield 'begun';
  await turn();
  throw new Error('broken');
}

@Controller()
class ContextController {
  @Get('context')
  async context(): Promise<object> {
    await turn();
    return { id: requestId(), remaining: remainingMs(), outside: runDetached(() => requestId() ?? null) };
  }

  @Post('context')
  @HttpCode(200)
  async afterBody(@Body() body: object): Promise<object> {
    await turn();
    return { id: requestId(), body };
  }

  @Get('long')
  long(): StreamableFile {
    return new StreamableFile(Readable.from(writeUntil(performance.now() + OVERDUE_MS), { objectMode: false }));
  }

  @Get('broken')
  broken(): StreamableFile {
    return new StreamableFile(Readable.from(breakOff(), { objectMode: false }));
  }

  @Get('never')
  never(): Promise<void> {
    return new Promise(() => undefined);
  }
}

let hub: Fixture;
beforeAll(async () => {
  hub = await startFixture([ContextController], {
    env: { PUBLIC_URL: 'https://hub.example.com/base', REQUEST_TIMEOUT_MS: '1000' },
  });
});
afterAll(() => hub.close());

const context = (headers = {}) => send(`${hub.url}/context`, { headers });

describe('the context of a request', () => {
  it('reaches the handler, also behind a body and an await', async () => {
    const get = await context();
    expect(get.body).toEqual({ id: get.headers.get('x-request-id'), remaining: expect.any(Number), outside: null });
    expect(get.body.remaining).toBeGreaterThan(0);
    expect(get.body.remaining).toBeLessThanOrEqual(1000);
    const post = await send(`${hub.url}/context`, { json: { a: 1 } });
    expect(post.body).toEqual({ id: post.headers.get('x-request-id'), body: { a: 1 } });
  });

  it('is its own for each of many at once', async () => {
    const ids = Array.from({ length: 50 }, (_, i) => `request-${i}`);
    const answers = await Promise.all(ids.map(id => context({ 'x-request-id': id })));
    expect(answers.map(({ body }) => body.id)).toEqual(ids);
    expect(requestId()).toBeUndefined();
  });
});

describe('the id of a request', () => {
  it('is a UUIDv7, in order and never the same', () => {
    const ids = Array.from({ length: 5000 }, newRequestId);
    for (const id of ids) expect(id).toMatch(UUID7);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
  });

  it.each(['short', 'a'.repeat(65), 'has space in it', '../../etc/passwd', '<script>alert(1)</script>'])(
    'is not taken from the caller if it is %s',
    async given => {
      expect((await context({ 'x-request-id': given })).headers.get('x-request-id')).toMatch(UUID7);
    },
  );
});

describe('Content-Encoding', () => {
  it.each(['gzip', 'br', 'identity, gzip', 'nonsense'])(
    '%s is refused with 415 and the encoding to use',
    async encoding => {
      const answer = await send(`${hub.url}/context`, { headers: { 'content-encoding': encoding } });
      expect([answer.status, answer.headers.get('accept-encoding')]).toEqual([415, 'identity']);
      expect(JSON.parse(answer.text)).toMatchObject({
        error: 'unsupported_media_type',
        detail: expect.stringContaining('without `Content-Encoding`'),
      });
    },
  );

  it('identity is accepted', async () => {
    expect((await context({ 'content-encoding': 'identity' })).status).toBe(200);
  });
});

describe('what every answer tells browsers', () => {
  it('lets pages of PUBLIC_URL read it and nobody keep or frame it', async () => {
    for (const { headers } of [await context(), await send(`${hub.url}/nowhere`)]) {
      expect(headers.get('access-control-allow-origin')).toBe('https://hub.example.com');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('strict-transport-security')).toContain('max-age=');
    }
  });

  it('shows pages the headers that they need', async () => {
    expect((await context()).headers.get('access-control-expose-headers')).toBeNull();
    const exposed = (await context({ origin: 'https://hub.example.com' })).headers.get('access-control-expose-headers');
    expect(exposed).toContain('www-authenticate');
    expect(exposed).toContain('ratelimit-remaining');
  });

  it('answers a preflight without asking who calls', async () => {
    const headers = {
      origin: 'https://hub.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, mcp-protocol-version',
    };
    const answer = await send(`${hub.url}/context`, { method: 'OPTIONS', headers });
    expect([answer.status, answer.text]).toEqual([204, '']);
    for (const name of [
      'authorization',
      'content-type',
      'idempotency-key',
      'mcp-protocol-version',
      'x-rapport-client',
    ]) {
      expect(answer.headers.get('access-control-allow-headers')!.split(', ')).toContain(name);
    }
    expect(answer.headers.get('access-control-allow-methods')).toContain('DELETE');
  });
});

it('answers for a handler that never does', async () => {
  const { status, body, headers } = await send(`${hub.url}/never`);
  expect([status, body.error, headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
});

it('sends a response to its end that began in time, however long it takes', async () => {
  const response = await fetch(`${hub.url}/long`);
  expect(response.status).toBe(200);
  expect(await response.text()).toMatch(/^\.+end, Infinity ms left$/);
});

it('cuts a response off whose content fails, and goes on to serve others', async () => {
  await expect(fetch(`${hub.url}/broken`).then(response => response.text())).rejects.toThrow('terminated');
  expect((await context()).status).toBe(200);
});

it('takes absolute and odd request targets for what they are', async () => {
  expect((await rawRequest(hub.url, `GET ${hub.url}/context`, [])).status).toBe(200);
  expect((await rawRequest(hub.url, 'GET *context', [])).status).toBe(404);
});
