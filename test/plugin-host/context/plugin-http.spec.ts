import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { isUnreachable, PermanentError } from '#sdk/errors.js';
import { HttpRules } from '#sdk/http-rules.js';
import type { HttpManifest, HubHttp } from '#sdk/index.js';
import { createHubHttp, PluginEgressClients } from '#plugin-host/context/plugin-http.js';
import { type FakeWeb, startFakeWeb } from '../../fakes/fake-web.js';
import { startTestHub, type TestHub } from '../../support/hub.js';

const IMAGE = Buffer.from([0x89, 0x50, 0x00, 0xff, 0xfe]);

const PART = Buffer.alloc(64 * 1024, 'x');
const PARTS = 160;
let busy = 0;

/** An export of 10 MiB, twice as much as a whole response may have. */
function* exportParts() {
  for (let part = 0; part < PARTS; part++) yield PART;
}

async function* uploadParts() {
  for (let part = 0; part < 3; part++) yield PART;
}

let hub: TestHub;
let web: FakeWeb;

beforeAll(async () => {
  hub = await startTestHub({ EGRESS_ALLOWLIST: '127.0.0.1' });
  web = await startFakeWeb(({ url, body, headers }, response) => {
    if (url === '/image') return void response.end(IMAGE);
    if (url === '/export') return void Readable.from(exportParts()).pipe(response);
    if (url === '/torn') return void response.write('half', () => response.destroy());
    if (url === '/stalls') return void response.write('half');
    if (url === '/busy') return void response.writeHead(busy-- > 0 ? 503 : 200, { 'retry-after': '0' }).end('done');
    if (url === '/upload') return void response.end(`${body.length} bytes, length ${headers['content-length']}`);
    response.end('{}');
  });
});
beforeEach(() => web.seen.splice(0));
afterAll(async () => {
  await hub?.end();
  await web?.close();
});

function httpOf(http: HttpManifest): HubHttp {
  const rules = new HttpRules({ id: 'acme', http }, { settings: { api_url: web.url }, credentials: {} });
  const client = hub.app.get(PluginEgressClients, { strict: false }).clientFor('acme');
  return createHubHttp({ client, rules, redact: text => text, signal: new AbortController().signal });
}

describe('hub.http', () => {
  it('adds paths to the base address, and sends forms', async () => {
    const form = { grant_type: 'x', text: 'a b&c', left_out: undefined, count: 2 };
    await httpOf({ baseUrl: 'settings.api_url' }).request({ method: 'POST', url: '/token?v=1', form });
    expect(web.seen).toMatchObject([
      {
        method: 'POST',
        url: '/token?v=1',
        body: 'grant_type=x&text=a+b%26c&count=2',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    ]);
  });

  it('gives the bytes of a response', async () => {
    const { bytes } = await httpOf({ baseUrl: 'settings.api_url' }).request({ url: '/image' });
    expect(Buffer.from(bytes)).toEqual(IMAGE);
  });

  it('streams a response of any size', async () => {
    const { status, headers, stream } = await httpOf({ baseUrl: 'settings.api_url' }).stream({ url: '/export' });
    let bytes = 0;
    for await (const part of stream) bytes += part.byteLength;
    expect({ status, bytes, length: headers['content-length'] }).toEqual({
      status: 200,
      bytes: PARTS * PART.byteLength,
      length: undefined,
    });
  });

  it.each([
    ['breaks off', '/torn', 10_000],
    ['stalls', '/stalls', 200],
  ])('says so if a stream %s', async (_, url, timeoutMs) => {
    const { stream } = await httpOf({ baseUrl: 'settings.api_url' }).stream({ url, timeoutMs });
    const error = await buffer(stream).catch((thrown: unknown) => thrown);
    expect(isUnreachable(error)).toBe(true);
    expect((error as Error).message).toContain(new URL(web.url).host);
  });

  it('attempts a stream again if it did not begin', async () => {
    busy = 2;
    const { status, stream } = await httpOf({ baseUrl: 'settings.api_url' }).stream({ url: '/busy' });
    expect([status, await text(stream)]).toEqual([200, 'done']);
    busy = 9;
    const failed = await httpOf({ baseUrl: 'settings.api_url' }).stream({ url: '/busy' });
    expect([failed.status, await text(failed.stream)]).toEqual([503, 'done']);
  });

  it.each([
    ['in chunks', {}, 'undefined'],
    ['with a length that is known', { bodyBytes: 3 * PART.byteLength }, String(3 * PART.byteLength)],
  ])('sends a stream %s, once', async (_, more, length) => {
    const http = httpOf({ baseUrl: 'settings.api_url' });
    const response = await http.request({ method: 'PUT', url: '/upload', body: uploadParts(), ...more });
    expect(response.text).toBe(`${3 * PART.byteLength} bytes, length ${length}`);
    busy = 9;
    web.seen.splice(0);
    expect((await http.request({ method: 'PUT', url: '/busy', body: uploadParts() })).status).toBe(503);
    expect(web.seen).toHaveLength(1);
  });

  it('refuses hosts that the manifest does not declare before it sends anything', async () => {
    const http = httpOf({ hosts: ['api.acme.io'] });
    await expect(http.request({ url: `${web.url}/x` })).rejects.toThrow(PermanentError);
    await expect(http.check(`${web.url}/x`)).rejects.toThrow('add it to "http.hosts"');
    expect(web.seen).toEqual([]);
  });

  it('refuses a request with two bodies', async () => {
    const request = { method: 'POST', url: '/x', json: {}, form: {} } as const;
    await expect(httpOf({ baseUrl: 'settings.api_url' }).request(request)).rejects.toThrow('one body');
  });
});
