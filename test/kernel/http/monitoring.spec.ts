import { createServer } from 'node:net';
import { once } from 'node:events';
import { rawRequest } from '../../support/network/raw-request.js';
import { type Fixture, startFixture } from './http.fixture.js';

const TOKEN = 'a-token-for-monitoring';

let hub: Fixture | undefined;
afterEach(async () => {
  await hub?.close();
  hub = undefined;
});

async function start(settings: NodeJS.ProcessEnv): Promise<string> {
  hub = await startFixture([], { env: settings });
  return hub.url;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

const get = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers });

/** Expects that a caller learns whether the hub is ready, and nothing else. */
async function expectNoDetails(url: string, headers: Record<string, string> = {}): Promise<void> {
  expect((await get(`${url}/metrics`, headers)).status).toBe(404);
  const ready = await get(`${url}/readyz`, headers);
  expect([ready.status, Object.keys((await ready.json()) as object)]).toEqual([200, ['status', 'version']]);
}

async function expectDetails(url: string, headers: Record<string, string> = {}): Promise<void> {
  expect(await (await get(`${url}/metrics`, headers)).text()).toContain('rapport_build_info');
  expect(await (await get(`${url}/readyz`, headers)).json()).toHaveProperty('dependencies');
}

describe('metrics and readiness details', () => {
  it('are for programs on the same machine, and not for those behind a proxy', async () => {
    const url = await start({});
    await expectDetails(url);
    for (const header of ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']) {
      await expectNoDetails(url, { [header]: '127.0.0.1' });
    }
  });

  it('require METRICS_TOKEN if it is set', async () => {
    const url = await start({ METRICS_TOKEN: TOKEN });
    await expectDetails(url, { authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '203.0.113.7' });
    for (const authorization of ['', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.toUpperCase()}`, `Basic ${TOKEN}`]) {
      await expectNoDetails(url, { authorization });
    }
  });

  it('are on METRICS_PORT alone, if it is set', async () => {
    const port = await freePort();
    const url = await start({ METRICS_PORT: String(port), HOST: '127.0.0.1' });
    await expectNoDetails(url);
    await expectDetails(`http://127.0.0.1:${port}`);
    expect((await get(`http://127.0.0.1:${port}/v2/people`)).status).toBe(404);
    await hub!.close();
    hub = undefined;
    await expect(get(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
  });
});

it('a request with two Host headers is refused', async () => {
  const url = await start({});
  const { status, body } = await rawRequest(url, 'GET /healthz', ['Host: evil.example']);
  expect([status, JSON.parse(body)]).toMatchObject([400, { error: 'invalid_request', details: [{ field: 'host' }] }]);
});
