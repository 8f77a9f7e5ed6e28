import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fastify, type FastifyInstance } from 'fastify';
import { registerWebApp } from '#kernel/web-app/web-app.routes.js';
import { startTestHub, type TestHub } from '../../support/hub.js';

const HTML = '<!doctype html><html lang="en"><body>console</body></html>';

let folder: string;
let server: FastifyInstance;

async function serve(isBuilt = true): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'rapport-web-app-'));
  await mkdir(join(folder, 'assets'));
  if (isBuilt) await writeFile(join(folder, 'index.html'), HTML);
  await writeFile(join(folder, 'icon.svg'), '<svg/>');
  await writeFile(join(folder, 'assets', 'main-abc123.js'), 'plain');
  await writeFile(join(folder, 'assets', 'main-abc123.js.br'), 'brotli');
  server = fastify();
  await registerWebApp(server, folder);
}
const get = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers });

afterEach(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the console', () => {
  it.each(['/', '/sign-in', '/sign-in?to=/w/x', '/setup/code', '/invite/token', '/reset/token', '/w/x', '/w/x/people'])(
    'is one page at %s, under a strict content policy',
    async url => {
      await serve();
      const { statusCode, headers, body } = await get(url);
      expect([statusCode, body]).toEqual([200, HTML]);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'x-frame-options': 'DENY',
      });
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
    },
  );

  it('is sent in the theme that the reader chose, and in no other text of the cookie', async () => {
    await serve();
    expect((await get('/', { cookie: 'a=b; rapport_theme=dark' })).body).toContain(
      '<html lang="en" data-theme="dark">',
    );
    expect((await get('/', { cookie: 'rapport_theme="><script>' })).body).toBe(HTML);
  });

  it('has files that are cached for good by their hashed names, and compressed copies', async () => {
    await serve();
    const plain = await get('/assets/main-abc123.js');
    expect([plain.statusCode, plain.body]).toEqual([200, 'plain']);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const compressed = await get('/assets/main-abc123.js', { 'accept-encoding': 'br' });
    expect([compressed.headers['content-encoding'], compressed.body]).toEqual(['br', 'brotli']);
    expect(compressed.headers['content-type']).toContain('javascript');
    expect((await get('/icon.svg')).headers['cache-control']).toBe('no-cache');
  });

  it.each(['/assets/gone.js', '/assets/main-abc123.js.br', '/index.html', '/people', '/assets/../index.html'])(
    'is not what %s leads to',
    async url => {
      await serve();
      const { statusCode, body } = await get(url);
      expect(statusCode).toBe(404);
      expect(body).not.toContain('console');
    },
  );

  it('explains how it is built where it is not', async () => {
    await serve(false);
    const { statusCode, body } = await get('/w/x/people');
    expect(statusCode).toBe(503);
    expect(body).toContain('npm run build');
  });
});

describe('a hub', () => {
  let hub: TestHub;
  beforeEach(async () => {
    hub = await startTestHub({ PUBLIC_RATE_LIMIT: '1' });
  });
  afterEach(() => hub?.end());

  it('counts pages of visitors, and not the files that they load', async () => {
    const html = await (await fetch(`${hub.url}/sign-in`)).text();
    const [script] = /\/assets\/[\w.-]+\.js/.exec(html)!;
    const statuses = async (path: string) =>
      new Set(await Promise.all(Array.from({ length: 30 }, async () => (await fetch(hub.url + path)).status)));
    expect(await statuses(script)).toEqual(new Set([200]));
    expect(await statuses('/sign-in')).toEqual(new Set([200, 429]));
  });

  it('serves the console to everyone, and the API to those with a key as before', async () => {
    const page = await fetch(`${hub.url}/w/anything/people`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('<div id="root">');
    expect((await fetch(`${hub.url}/v2/people`)).status).toBe(401);
    const post = await fetch(`${hub.url}/w/anything/people`, { method: 'POST' });
    expect(post.status).toBe(404);
    expect((await fetch(`${hub.url}/sign-in`, { method: 'DELETE' })).status).toBe(405);
  });
});
