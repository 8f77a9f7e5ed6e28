import { PermanentError } from '#sdk/errors.js';
import { HttpRules } from '#sdk/http-rules.js';
import type { HttpManifest, HubHttp } from '#sdk/index.js';
import { createHubHttp, PluginEgressClients } from '#plugin-host/context/plugin-http.js';
import { type FakeWeb, startFakeWeb } from '../../fakes/fake-web.js';
import { startTestHub, type TestHub } from '../../support/hub.js';

const IMAGE = Buffer.from([0x89, 0x50, 0x00, 0xff, 0xfe]);

let hub: TestHub;
let web: FakeWeb;

beforeAll(async () => {
  hub = await startTestHub({ EGRESS_ALLOWLIST: '127.0.0.1' });
  web = await startFakeWeb(({ url }, response) => void response.end(url === '/image' ? IMAGE : '{}'));
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
