import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { formatDisposition, parseRange } from '#plugin-host/surfaces/routes/route-download.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { until } from '../../support/until.js';

const PLUGINS_DIR = fileURLToPath(new URL('../../fixtures/plugins/long', import.meta.url));
const REQUEST_TIMEOUT_MS = 700;

interface Stored {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly fields: Record<string, string>;
}

let dataDir: string;
let hub: TestHub;
let client: Client;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rapport-uploads-'));
  const settings = { PLUGINS_DIR, DATA_DIR: dataDir, REQUEST_TIMEOUT_MS: String(REQUEST_TIMEOUT_MS) };
  hub = await startTestHub({ ...settings, MAX_FILE_MB: 'starter=1' });
  client = await hub.workspace();
});
afterAll(async () => {
  await hub?.end();
  await rm(dataDir, { recursive: true, force: true });
});

const path = (rest: string) => `${hub.url}/v2/plugins/shelf/${rest}`;
const authorized = (headers: Record<string, string> = {}, by = client) => ({
  authorization: `Bearer ${by.key}`,
  ...headers,
});
const send = async (body: string | Buffer | FormData, headers: Record<string, string> = {}, by = client) => {
  const response = await fetch(path('files'), {
    method: 'POST',
    body,
    headers: authorized(headers, by),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Stored & { error?: string },
  };
};
const csv = (text: string | Buffer, headers = {}) => send(text, { 'content-type': 'text/csv', ...headers });
const get = (rest: string, headers = {}) => fetch(path(rest), { headers: authorized(headers), redirect: 'manual' });
const countFiles = async () => (await hub.database.pool.query('SELECT FROM files')).rows.length;

/** Sends chunks one by one on a connection of its own. */
async function openSlowUpload(head: string): Promise<{ socket: Socket; response: () => string }> {
  const { hostname, port } = new URL(hub.url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', data => (received += data.toString())).on('error', () => undefined);
  await new Promise(resolve => socket.once('connect', resolve));
  socket.write(
    `POST /v2/plugins/shelf/files HTTP/1.1\r\nhost: hub\r\nauthorization: Bearer ${client.key}\r\ncontent-type: text/csv\r\n${head}\r\n\r\n`,
  );
  return { socket, response: () => received };
}

describe('an upload', () => {
  it('is stored as the body, and read from any offset', async () => {
    const text = 'email\n'.repeat(100_000);
    const { status, body } = await csv(text, { 'content-disposition': 'attachment; filename="dir/people.csv"' });
    expect([status, body]).toMatchObject([
      201,
      { name: 'people.csv', bytes: text.length, sha256: createHash('sha256').update(text).digest('hex'), fields: {} },
    ]);
    expect(await (await get(`files/${body.id}/from/${text.length - 6}`)).json()).toBe('email\n');
  });

  it.each([
    ['attachment; filename="dir/people.csv"', 'people.csv'],
    [`attachment; filename*=UTF-8''K%C3%A4ufer.csv`, 'Käufer.csv'],
    [`attachment; filename="K_ufer.csv"; filename*=UTF-8''K%C3%A4ufer.csv`, 'Käufer.csv'],
  ])('has the file name of %s', async (disposition, name) => {
    const { body } = await csv('email\n', { 'content-disposition': disposition });
    expect(body).toMatchObject({ name });
  });

  it('is the first file of a form, with the fields before it', async () => {
    const form = new FormData();
    form.append('target', 'people');
    form.append('file', new Blob(['email\nada@acme.io\n'], { type: 'text/csv' }), 'Kundé "1".csv');
    form.append('ignored', 'x');
    const { status, body } = await send(form);
    expect([status, body]).toMatchObject([201, { name: 'Kundé "1".csv', bytes: 18, fields: { target: 'people' } }]);
  });

  it.each([
    ['a form without a file', (form: FormData) => form.append('a', 'b'), 400, 'invalid_request'],
    [
      'a form with a file of another type',
      (form: FormData) => form.append('f', new Blob(['x'], { type: 'text/html' }), 'x.html'),
      415,
      'unsupported_media_type',
    ],
  ])('of %s is refused', async (_, fill, status, error) => {
    const form = new FormData();
    fill(form);
    expect(await send(form)).toMatchObject({ status, body: { error } });
  });

  it('that is cut off in the middle of a form stores nothing', async () => {
    const before = await countFiles();
    const cut =
      '--b\r\ncontent-disposition: form-data; name="f"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\nemail';
    const { status, body } = await send(cut, { 'content-type': 'multipart/form-data; boundary=b' });
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(await countFiles()).toBe(before);
  });

  it('takes as long as its bytes arrive, beyond the time limit of requests', async () => {
    const { socket, response } = await openSlowUpload('content-length: 14');
    for (const letter of 'email\nada@a.io') {
      socket.write(letter);
      await pause(REQUEST_TIMEOUT_MS / 4);
    }
    await until('it is stored', async () => response().includes('"bytes":14'));
    expect(response()).toMatch(/^HTTP\/1.1 201 /);
    socket.destroy();
  });

  it('is ended with 408 when no bytes arrive, and stores nothing', async () => {
    const before = await countFiles();
    const { socket, response } = await openSlowUpload('content-length: 100');
    socket.write('email\n');
    await until('it is ended', async () => response().includes('request_timeout'));
    expect(response()).toMatch(/^HTTP\/1.1 408 /);
    await until('its rest is gone', async () => (await countFiles()) === before);
    socket.destroy();
  });

  it('stores nothing when its sender hangs up', async () => {
    const before = await countFiles();
    const { socket } = await openSlowUpload('content-length: 1000000');
    socket.write('x'.repeat(300_000));
    await until('it has begun', async () => (await countFiles()) > before);
    socket.destroy();
    await until('its rest is gone', async () => (await countFiles()) === before);
  });

  it('is refused with 413 that names the limit of the route, by its length and while it is read', async () => {
    const tooLarge = Buffer.alloc(5_000_001, 'x');
    const refusal = {
      status: 413,
      body: { error: 'too_large', max: 5_000_000, detail: expect.stringContaining('This route') },
    };
    expect(await csv(tooLarge)).toMatchObject(refusal);
    const before = await countFiles();
    const form = new FormData();
    form.append('file', new Blob([tooLarge], { type: 'text/csv' }), 'large.csv');
    expect(await send(form)).toMatchObject(refusal);
    await until('nothing of it is left', async () => (await countFiles()) === before);
  });

  it('is refused with 413 that names the limit of the plan', async () => {
    const starter = await hub.workspace('starter');
    const refused = await send(Buffer.alloc(1_000_001, 'x'), { 'content-type': 'text/csv' }, starter);
    expect(refused).toMatchObject({ status: 413, body: { error: 'too_large', max: 1_000_000 } });
    expect(JSON.stringify(refused.body)).toContain('The plan starter');
  });

  it('is stored once per Idempotency-Key, as a body and as a form', async () => {
    const key = () => ({ 'idempotency-key': 'upload-1' });
    const form = () => {
      const data = new FormData();
      data.append('file', new Blob(['email\n'], { type: 'text/csv' }), 'a.csv');
      return data;
    };
    const [first, again] = [await send(form(), key()), await send(form(), key())];
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true']);
    expect(again.body.id).toBe(first.body.id);
  });
});

describe('a route', () => {
  it('sends a file as a download, whole or in part', async () => {
    const { body } = await csv('0123456789', { 'content-disposition': 'attachment; filename="digits.csv"' });
    const whole = await get(`files/${body.id}/content`);
    expect([whole.status, await whole.text()]).toEqual([200, '0123456789']);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'text/csv',
      'content-length': '10',
      'content-disposition': `attachment; filename="digits.csv"; filename*=UTF-8''digits.csv`,
      'accept-ranges': 'bytes',
    });
    const part = await get(`files/${body.id}/content?as=%C3%A9.csv`, { range: 'bytes=3-5' });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 3-5/10', '345']);
    expect(part.headers.get('content-disposition')).toContain(`filename*=UTF-8''%C3%A9.csv`);
    const beyond = await get(`files/${body.id}/content`, { range: 'bytes=10-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10']);
  });

  it('responds 404 for a file that was deleted', async () => {
    const { body } = await csv('x');
    await fetch(path(`files/${body.id}`), { method: 'DELETE', headers: authorized() });
    expect((await get(`files/${body.id}/content`)).status).toBe(404);
    expect((await get(`files/${body.id}/from/0`)).status).toBe(400);
  });

  it('hides files of other workspaces', async () => {
    const { body } = await csv('x');
    const other = await hub.workspace();
    const response = await fetch(path(`files/${body.id}/content`), { headers: authorized({}, other) });
    expect(response.status).toBe(404);
  });

  it('redirects', async () => {
    const response = await get('elsewhere');
    expect([response.status, response.headers.get('location')]).toEqual([303, 'https://example.org/login']);
  });
});

describe('parseRange', () => {
  it.each([
    [undefined, undefined],
    ['bytes=0-0', { from: 0, to: 1 }],
    ['bytes=4-', { from: 4, to: 10 }],
    ['bytes=-3', { from: 7, to: 10 }],
    ['bytes=-99', { from: 0, to: 10 }],
    ['bytes=5-99', { from: 5, to: 10 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-3', undefined],
    ['bytes=-', undefined],
    ['bytes=0-1,4-5', undefined],
    ['lines=0-1', undefined],
  ])('reads %s', (header, range) => expect(parseRange(header, 10)).toEqual(range));
});

it('formatDisposition quotes nothing that could end the name', () => {
  expect(formatDisposition(`a"b\\c\r\n'é.csv`)).toBe(
    `attachment; filename="a_b_c__'_.csv"; filename*=UTF-8''a%22b%5Cc%0D%0A%27%C3%A9.csv`,
  );
});
