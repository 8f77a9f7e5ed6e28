import { readFileSync } from 'node:fs';
import { DOCS_TEXT_PAGES } from '#kernel/http/openapi/llms.controller.js';
import { startTestHub, type TestHub } from '../../support/hub.js';

const PUBLIC_URL = 'https://rapport.example.com';

let hub: TestHub;
let text: string;
let headers: Headers;
beforeAll(async () => {
  hub = await startTestHub({ PUBLIC_URL: `${PUBLIC_URL}/` });
  const response = await fetch(`${hub.url}/llms.txt`);
  expect(response.status).toBe(200);
  headers = response.headers;
  text = await response.text();
});
afterAll(() => hub.end());

/** The same resource at the address of the hub under test. */
const toTestUrl = (url: string) => url.replace(PUBLIC_URL, hub.url);

describe('GET /llms.txt', () => {
  it('is plain text that caches may keep, without a key', () => {
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('access-control-allow-origin')).toBe(PUBLIC_URL);
  });

  it('follows the format: a title, a quote, prose, then sections of links', () => {
    const [title, , quote] = text.split('\n');
    expect(title).toBe('# Rapport');
    expect(quote).toMatch(/^> Rapport is /);
    const [, ...sections] = text.split('\n## ');
    expect(sections.map(section => section.split('\n')[0])).toEqual(['Reference', 'Documentation', 'Optional']);
    for (const section of sections) {
      const [, ...lines] = section.split('\n').filter(line => line !== '');
      expect(lines.filter(line => !/^- \[[^\]]+\]\(https:\/\/rapport\.example\.com\/\S+\): \S/.test(line))).toEqual([]);
    }
  });

  it('links only to what the hub serves without a key', async () => {
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, url]) => url!);
    expect(links).toHaveLength(DOCS_TEXT_PAGES.length + 2);
    for (const link of links) expect([link, (await fetch(toTestUrl(link))).status]).toEqual([link, 200]);
  });

  it('names the MCP server and has a first request that works with a key', async () => {
    expect(text).toContain(`The server is at ${PUBLIC_URL}/mcp `);
    const { key } = await hub.workspace();
    const [, url, name, value] = /^curl -sS (\S+) -H "(\w+): ([^"]+)"$/m.exec(text)!;
    const response = await fetch(toTestUrl(url!), { headers: { [name!]: value!.replace('$KEY', key) } });
    expect(response.status).toBe(200);
  });
});

describe('GET /docs/pages/:file', () => {
  it('returns a page as it is in the repository', async () => {
    const response = await fetch(`${hub.url}/docs/pages/errors.md`);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
    expect(await response.text()).toBe(readFileSync('docs/errors.md', 'utf8'));
  });

  it.each(['unknown.md', 'testing.md', '__proto__', '..%2FREADME.md', '..%2F..%2Fpackage.json', '%2Fetc%2Fpasswd'])(
    'returns 404 for %s, which is not listed',
    async file => {
      const response = await fetch(`${hub.url}/docs/pages/${file}`);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: 'not_found' });
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      expect(response.headers.get('cache-control')).toBe('no-store');
    },
  );

  it('serves each page that a served page links to', () => {
    const served = new Set(DOCS_TEXT_PAGES.map(({ file }) => file));
    const linked = [...served].flatMap(page =>
      [...readFileSync(`docs/${page}`, 'utf8').matchAll(/\]\(([\w-]+\.md)/g)].map(([, file]) => file!),
    );
    expect(linked.filter(file => !served.has(file))).toEqual([]);
  });
});
