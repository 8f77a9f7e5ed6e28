import { type AllowlistEntries, parseEgressAllowlist } from '#kernel/egress/egress-rules.js';
import { EgressFailedError } from '#kernel/egress/egress-errors.js';
import { EgressClient } from '#kernel/egress/egress.client.js';
import { withRetries, parseRetryAfterMs } from '#kernel/egress/retries.js';
import { type FakeWeb, startFakeWeb } from '../../fakes/fake-web.js';

const entries = parseEgressAllowlist('127.0.0.1') as AllowlistEntries;
const client = new EgressClient({ allowlist: { setting: 'EGRESS_ALLOWLIST', entries } });
/** Long enough for an answer that comes, on any machine. */
const PATIENT_MS = 30_000;
let web: FakeWeb;
let passingFailures = 0;

beforeAll(async () => {
  web = await startFakeWeb(({ url }, response) => {
    if (url === '/redirect') return response.writeHead(302, { location: `${web.url}/target` }).end();
    if (url === '/hang') return undefined;
    if (url === '/drip') return void setInterval(() => response.write('x'), 20).unref();
    if (url === '/huge') return response.end(Buffer.alloc(2_000));
    if (url === '/endless')
      return response.writeHead(200, { 'transfer-encoding': 'chunked' }).write(Buffer.alloc(2_000));
    if (url === '/cut') return void response.write('half', () => response.destroy());
    if (url === '/busy' && passingFailures-- > 0) return response.writeHead(429, { 'retry-after': '0' }).end();
    if (url === '/later') return response.writeHead(503, { 'retry-after': '3600' }).end();
    return response.writeHead(201, { 'set-cookie': ['a=1', 'b=2'], 'x-kind': 'Test' }).end('Grüße');
  });
});
afterAll(async () => {
  await client.close();
  await web.close();
});
beforeEach(() => void web.seen.splice(0));

test('sends the request as given and returns the response', async () => {
  const headers = { 'X-Own': '1', host: 'evil.example', 'Content-Length': '9999', connection: 'upgrade' };
  const answer = await client.send({ method: 'POST', url: `${web.url}/a?b=c`, headers, body: 'body' });
  expect({ ...answer, body: answer.body.toString() }).toMatchObject({
    status: 201,
    headers: { 'set-cookie': 'a=1, b=2', 'x-kind': 'Test' },
    body: 'Grüße',
  });
  expect(web.seen[0]).toMatchObject({ method: 'POST', url: '/a?b=c', body: 'body' });
  expect(web.seen[0]!.headers).toMatchObject({ 'x-own': '1', host: `127.0.0.1:${web.port}`, 'content-length': '4' });
});

test('a redirect is an answer, not a way on', async () => {
  expect((await client.send({ url: `${web.url}/redirect` })).status).toBe(302);
  expect(web.seen.map(({ url }) => url)).toEqual(['/redirect']);
});

test.each([
  ['/hang', 'timeout'],
  ['/drip', 'timeout'],
  ['/huge', 'too_large'],
  ['/endless', 'too_large'],
  ['/cut', 'unreachable'],
])('%s ends as %s', async (path, fault) => {
  const sent = client.send({ url: web.url + path, timeoutMs: fault === 'timeout' ? 400 : PATIENT_MS, maxBytes: 1_000 });
  await expect(sent).rejects.toMatchObject({ name: 'EgressFailed', fault });
});

test('the caller can abort it', async () => {
  const off = new AbortController();
  const sent = client.send({ url: `${web.url}/hang`, signal: off.signal });
  off.abort(new Error('gone'));
  await expect(sent).rejects.toMatchObject({ fault: 'aborted' });
  await expect(client.send({ url: web.url, signal: off.signal })).rejects.toMatchObject({ fault: 'aborted' });
});

test('a refused connection is reported without the address', async () => {
  const closed = await startFakeWeb();
  await closed.close();
  const sent = client.send({ url: `${closed.url}/secret-path` });
  await expect(sent).rejects.toMatchObject({
    fault: 'unreachable',
    message: expect.not.stringContaining('secret-path'),
  });
});

describe('retries', () => {
  const send =
    (path: string, timeoutMs = PATIENT_MS) =>
    () =>
      client.send({ url: web.url + path, timeoutMs });

  test('go on until the answer is no passing failure', async () => {
    passingFailures = 2;
    expect((await withRetries({ attempts: 5 }, send('/busy'))).status).toBe(201);
    expect(web.seen.length).toBe(3);
  });

  test('end with the last answer when the attempts are used up', async () => {
    passingFailures = 9;
    expect((await withRetries({ attempts: 2 }, send('/busy'))).status).toBe(429);
    expect(web.seen.length).toBe(2);
  });

  test('do not wait longer than the longest pause', async () => {
    expect((await withRetries({ attempts: 5 }, send('/later'))).status).toBe(503);
    expect(web.seen.length).toBe(1);
  });

  test('are for what may pass: no answer in time is tried again, one that is too large is not', async () => {
    await expect(withRetries({ attempts: 3, initialBackoffMs: 1 }, send('/hang', 300))).rejects.toMatchObject({
      fault: 'timeout',
    });
    expect(web.seen.length).toBe(3);
    const large = () => client.send({ url: `${web.url}/huge`, maxBytes: 10 });
    await expect(withRetries({ attempts: 3, initialBackoffMs: 1 }, large)).rejects.toBeInstanceOf(EgressFailedError);
    expect(web.seen.length).toBe(4);
  });

  test('Retry-After is read as seconds and as a date', () => {
    const now = Date.UTC(2026, 10, 20, 12);
    expect(
      ['3', ' 0 ', 'Fri, 20 Nov 2026 12:00:05 GMT', 'Fri, 20 Nov 2026 11:00:00 GMT', '-1', 'soon', undefined].map(v =>
        parseRetryAfterMs(v, now),
      ),
    ).toEqual([3000, 0, 5000, 0, undefined, undefined, undefined]);
  });
});
