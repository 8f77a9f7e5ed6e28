import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { sendRaw } from '../../support/network/send-raw.js';

let hub: TestHub;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace();
  const rows = Array.from({ length: 100 }, (_, n) => ({ email: `p${n}@gmail.com`, name: `Person ${n}`, title: 'CTO' }));
  await acme.post('/v2/leads', { list: 'All', leads: rows });
  for (let n = 0; n < 20; n++) await acme.post('/v2/api-keys', { name: `key ${n} ${'x'.repeat(150)}` });
});
afterAll(() => hub?.end());

const get = (path: string, encodings: string | undefined, key: string | undefined = acme.key) =>
  sendRaw(hub.url + path, {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(encodings !== undefined && { 'accept-encoding': encodings }),
  });

describe('a JSON response', () => {
  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ])('is compressed with %s for a client that accepts it, and says the same', async (encoding, accepted, open) => {
    const plain = await get('/v2/people?limit=100', undefined);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.bytes.length).toBeGreaterThan(20_000);
    const packed = await get('/v2/people?limit=100', accepted);
    expect(packed.headers).toMatchObject({
      'content-encoding': encoding,
      vary: expect.stringMatching(/accept-encoding/i),
    });
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 5);
    expect(JSON.parse(open(packed.bytes).toString())).toEqual(JSON.parse(plain.bytes.toString()));
  });

  it('that is small is sent as it is', async () => {
    const { headers, bytes } = await get('/v2/people?limit=1', 'gzip, br');
    expect(headers['content-encoding']).toBeUndefined();
    expect(JSON.parse(bytes.toString())).toMatchObject({ people: [expect.anything()] });
  });

  it('that may hold secrets, or is of a plugin, is sent as it is', async () => {
    for (const path of ['/v2/api-keys', '/v2/workspace/integrations', '/v2/plugins/csv-import/runs']) {
      const { status, headers } = await get(path, 'gzip, br');
      expect([path, status, headers['content-encoding']]).toEqual([path, 200, undefined]);
    }
    expect((await get('/v2/api-keys', 'gzip, br')).bytes.length).toBeGreaterThan(5_000);
  });

  it('of the document is compressed for everybody', async () => {
    const { headers, bytes } = await get('/openapi.json', 'br', undefined);
    expect(headers['content-encoding']).toBe('br');
    expect(JSON.parse(brotliDecompressSync(bytes).toString())).toMatchObject({ openapi: '3.1.0' });
  });
});

it('an export is streamed as it is', async () => {
  const { headers, bytes } = await get('/v2/people/export', 'gzip, br');
  expect(headers['content-encoding']).toBeUndefined();
  expect(bytes.toString().split('\n').length).toBeGreaterThan(100);
});
