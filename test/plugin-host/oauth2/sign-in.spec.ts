import { startHub, type Hub } from '../../../src/hub.js';
import { createLogger } from '#kernel/telemetry/logger.js';
import {
  FAKE_CLIENT,
  type FakeAuthorizationServer,
  startAuthorizationServer,
} from '../../fakes/authorization-server.js';
import { AGENTS } from '../../fixtures/mcp/agents.js';
import type { ErrorBody } from '../../support/graph/graph-calls.js';
import { type Client, clientOf, startTestHub, testEnv, type TestHub } from '../../support/hub.js';
import { ledgerManifest, serveLedger } from '../../support/plugins/ledger-plugin.js';
import { ProviderBrowser } from '../../support/plugins/provider-browser.js';

const PATH = '/v2/workspace/integrations';
const SETTINGS = {
  EGRESS_ALLOWLIST: '127.0.0.1',
  OAUTH_CLIENTS: JSON.stringify({ ledger: FAKE_CLIENT }),
};

interface Link {
  readonly authorization_url: string;
  readonly expires_at: string;
}

interface Listed {
  readonly integrations: readonly {
    readonly provider: string;
    readonly state: string;
    readonly reason: string | null;
    readonly sign_in: object | null;
    readonly connection: { readonly settings: object; readonly name: string; readonly made_by: string } | null;
  }[];
}

let provider: FakeAuthorizationServer;
let hub: TestHub;
beforeAll(async () => {
  provider = await startAuthorizationServer();
  hub = await startTestHub(SETTINGS);
  await serveLedger(hub, provider.url);
});
afterAll(async () => {
  await hub?.end();
  await provider?.close();
});
beforeEach(() => {
  Object.assign(provider, {
    lifetime: 3600,
    approves: true,
    down: undefined,
    meStatus: undefined,
    hasOwnErrors: false,
  });
});

/** The link as the browser reaches the hub under test, whose port differs from that of PUBLIC_URL. */
const reach = (url: string) => hub.url + new URL(url).pathname;
const request = async (client: Client, body: object = {}) => {
  const answer = await client.post<Link & ErrorBody>(`${PATH}/ledger/authorize`, body);
  return { ...answer, link: answer.body.authorization_url && reach(answer.body.authorization_url) };
};
const listed = async (client: Client) =>
  (await client.get<Listed>(PATH)).body.integrations.find(each => each.provider === 'ledger')!;
const test_ = (client: Client) =>
  client.post<{ outcome: string; message: string } & ErrorBody>(`${PATH}/ledger/test`, {});
const rowsOf = async (client: Client, table: string) =>
  (await hub.database.pool.query(`SELECT * FROM ${table} WHERE workspace_id = $1`, [client.workspaceId])).rows;

/** A workspace that has signed in. */
async function signedIn(settings?: object): Promise<Client> {
  const client = await hub.workspace();
  const page = await new ProviderBrowser(hub.url).signIn((await request(client, settings && { settings })).link);
  expect(page.status).toBe(200);
  return client;
}

/** Makes the stored access tokens expire, as time does. */
const expireTokens = (client: Client) =>
  hub.database.pool.query('UPDATE connections SET tokens_expire_at = now() WHERE workspace_id = $1', [
    client.workspaceId,
  ]);

describe('signing in', () => {
  it('connects the provider: by a link, a page that names the workspace, and the consent of the provider', async () => {
    const client = await hub.workspace();
    expect(await listed(client)).toMatchObject({
      state: 'available',
      sign_in: {
        is_configured: true,
        setting: null,
        providers: [
          {
            value: null,
            name: 'Ledger',
            is_configured: true,
            scopes: ['contacts.read', 'deals.read'],
            settings: ['realm'],
          },
        ],
      },
    });
    const { status, body, link } = await request(client, { name: 'Books', settings: { pipeline: 'partners' } });
    expect(status).toBe(201);
    expect(Date.parse(body.expires_at)).toBeGreaterThan(Date.now() + 3_500_000);
    const browser = new ProviderBrowser(hub.url);
    const page = await browser.open(link);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Connect Ledger to Acme?');
    expect(page.text).toContain('contacts.read, deals.read');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(page.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax$/);

    const last = await browser.signIn(link);
    expect(last.text).toContain('Ledger is connected to Acme');

    expect(await listed(client)).toMatchObject({
      state: 'connected',
      connection: { name: 'Books', made_by: 'sign_in', settings: { pipeline: 'partners' } },
    });
    expect((await test_(client)).body).toMatchObject({
      outcome: 'ok',
      message: '{"instance_url":"https://eu1.ledger.example"}',
    });
    const act = (await rowsOf(client, 'audit_events')).find(({ action }) => action === 'integration.connect');
    expect(act).toMatchObject({ actor_kind: 'key' });
  });

  it.each([
    ['main', {}],
    ['test', { realm: 'test' }],
  ])('takes the realm %s into the addresses of the provider', async (realm, settings) => {
    provider.seen.splice(0);
    const client = await signedIn(settings);
    await expireTokens(client);
    await test_(client);
    const addresses = provider.seen.map(({ url }) => new URL(url, provider.url)).filter(url => url.search !== '');
    expect(addresses.map(url => [url.pathname, url.searchParams.get('realm')])).toEqual([
      ['/authorize', realm],
      ['/token', realm],
      ['/token', realm],
    ]);
  });

  it('stores no token and no verifier in clear text', async () => {
    const client = await signedIn();
    const stored = JSON.stringify([await rowsOf(client, 'connections'), await rowsOf(client, 'outbox')]);
    expect(stored).not.toMatch(/access-[0-9a-f]|refresh-[0-9a-f]/);
    expect(await rowsOf(client, 'provider_authorizations')).toEqual([]);
  });

  it('works once with each link and each return, and only in the browser that began', async () => {
    const client = await hub.workspace();
    const { link } = await request(client);
    const browser = new ProviderBrowser(hub.url);
    const back = await browser.approve(link);
    expect((await new ProviderBrowser(hub.url).open(back)).status).toBe(410);
    expect((await browser.open(back)).status).toBe(410);
    expect((await listed(client)).state).toBe('available');

    expect((await browser.signIn(link)).status).toBe(200);
    expect((await browser.open(link)).status).toBe(410);
  });

  it('ignores a form that another page has sent', async () => {
    const { link } = await request(await hub.workspace());
    const form = (nonce: string) => ({
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `nonce=${nonce}`,
    });
    const browser = new ProviderBrowser(hub.url);
    expect((await browser.open(link, form('guessed'))).status).toBe(410);
    await browser.open(link);
    expect((await browser.open(link, form('guessed'))).status).toBe(410);
    expect((await browser.open(link, form(''))).status).toBe(410);
  });

  it('says so if the person declines, and the same link works again', async () => {
    const client = await hub.workspace();
    const { link } = await request(client);
    const browser = new ProviderBrowser(hub.url);
    provider.approves = false;
    const declined = await browser.signIn(link);
    expect(declined.status).toBe(400);
    expect(declined.text).toContain('The user declined');
    provider.approves = true;
    expect((await browser.signIn(link)).status).toBe(200);
  });

  it('revokes the tokens if the connection is refused afterwards', async () => {
    const client = await hub.workspace();
    const { link } = await request(client, { settings: { refuse: true } });
    const before = provider.live();
    const page = await new ProviderBrowser(hub.url).signIn(link);
    expect(page.status).toBe(400);
    expect(page.text).toContain('The pipeline is gone.');
    expect(provider.live()).toBe(before);
    expect(await rowsOf(client, 'connections')).toEqual([]);
  });

  it.each(AGENTS)('gives an agent the link for its user: %s', async (_, connect) => {
    const client = await hub.workspace();
    const agent = await connect(new URL(`${hub.url}/mcp`), client.key);
    const answer = await agent.call('connect_integration', { provider: 'ledger' });
    await agent.close();
    const result = answer.structuredContent as Record<string, unknown>;
    expect(result).toMatchObject({
      status: 'sign_in_required',
      verified: false,
      authorization_url: expect.stringContaining('/connect/') as string,
    });
    const page = await new ProviderBrowser(hub.url).signIn(reach(result['authorization_url'] as string));
    expect(page.status).toBe(200);
  });

  it.each([
    ['a wrong setting', 'ledger', { settings: { pipeline: 7 } }, 400, 'settings.pipeline'],
    ['an unknown setting', 'ledger', { settings: { pipelines: 'x' } }, 400, 'settings.pipelines'],
    ['an unknown provider', 'nobody', {}, 404, 'unknown_provider'],
    ['a provider without sign-in', 'calcom', {}, 400, 'no sign-in'],
  ])('explains %s', async (_, name, body, status, text) => {
    const client = await hub.workspace();
    const answer = await client.post<ErrorBody>(`${PATH}/${name}/authorize`, body);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).toContain(text);
  });

  it('points those who send no credentials to the link', async () => {
    const answer = await (await hub.workspace()).post<ErrorBody>(PATH, { provider: 'ledger' });
    expect(answer).toMatchObject({ status: 400, body: { error: 'provider_and_credentials_required' } });
    expect(JSON.stringify(answer.body)).toContain('/ledger/authorize');
  });

  it('names what the operator has to do if the hub is not registered with the provider', async () => {
    const other = await startHub(testEnv(hub.database.url), createLogger('silent'));
    try {
      await serveLedger(other, provider.url);
      const client = await hub.workspace();
      const answer = await clientOf(other.url, client.key).post<ErrorBody>(`${PATH}/ledger/authorize`, {});
      expect(answer).toMatchObject({ status: 409, body: { error: 'oauth_client_missing' } });
      expect(JSON.stringify(answer.body)).toMatch(/OAUTH_CLIENTS.*|\/connect\/callback/);
    } finally {
      await other.close();
    }
  });
});

describe('tokens', () => {
  it('are refreshed before they expire, once for many requests', async () => {
    const client = await signedIn();
    await expireTokens(client);
    const before = provider.countTokenRequests('refresh_token');
    const answers = await Promise.all(Array.from({ length: 10 }, () => test_(client)));
    expect(answers.map(({ body }) => body.outcome)).toEqual(Array(10).fill('ok'));
    expect(provider.countTokenRequests('refresh_token') - before).toBe(1);
  });

  it('are refreshed once by two processes at the same time, although a refresh token works once', async () => {
    const client = await signedIn();
    const second: Hub = await startHub(testEnv(hub.database.url, SETTINGS), createLogger('silent'));
    try {
      await serveLedger(second, provider.url);
      const clients = [client, clientOf(second.url, client.key)];
      for (let round = 0; round < 3; round++) {
        await expireTokens(client);
        const before = provider.countTokenRequests('refresh_token');
        const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => test_(clients[i % 2]!)));
        expect(answers.map(({ body }) => body.outcome)).toEqual(Array(8).fill('ok'));
        expect(provider.countTokenRequests('refresh_token') - before).toBe(1);
      }
    } finally {
      await second.close();
    }
  });

  it('are refreshed after a 401, and the request is sent again', async () => {
    const client = await signedIn();
    provider.dropAccessTokens();
    expect((await test_(client)).body.outcome).toBe('ok');
    expect((await listed(client)).state).toBe('connected');
  });

  it('end the connection if the provider takes them back: it waits for a new sign-in, which keeps settings', async () => {
    const client = await signedIn({ pipeline: 'partners' });
    provider.revokeAll();
    const refused = await test_(client);
    expect(refused.body).toMatchObject({ outcome: 'bad_credentials' });
    expect(refused.body.message).toContain('Connect the provider again.');
    expect(JSON.stringify(refused.body)).not.toMatch(/refresh-[0-9a-f]{8}/);
    expect(await listed(client)).toMatchObject({
      state: 'reconnect',
      reason: expect.stringContaining('Ledger says: unknown token [hidden]') as string,
    });
    expect(await test_(client)).toMatchObject({ status: 409, body: { error: 'not_connected' } });

    expect((await new ProviderBrowser(hub.url).signIn((await request(client)).link)).status).toBe(200);
    expect(await listed(client)).toMatchObject({
      state: 'connected',
      connection: { settings: { pipeline: 'partners' } },
    });
    expect((await test_(client)).body.outcome).toBe('ok');
  });

  it('wait for a new sign-in if the provider refuses a fresh one too', async () => {
    const client = await signedIn();
    provider.meStatus = 401;
    await test_(client);
    expect((await listed(client)).state).toBe('reconnect');
  });

  it('stay while the provider is away', async () => {
    const client = await signedIn();
    await expireTokens(client);
    provider.down = 503;
    expect((await test_(client)).body).toMatchObject({ outcome: 'unreachable' });
    expect((await listed(client)).state).toBe('connected');
    provider.down = undefined;
    expect((await test_(client)).body.outcome).toBe('ok');
  });

  it('end the connection also if the provider words its refusal in its own way', async () => {
    const client = await signedIn();
    await expireTokens(client);
    provider.revokeAll();
    provider.hasOwnErrors = true;
    expect((await test_(client)).body).toMatchObject({ outcome: 'bad_credentials' });
    expect(await listed(client)).toMatchObject({
      state: 'reconnect',
      reason: expect.stringContaining('missing or unknown refresh token') as string,
    });
  });

  it('are refreshed for the farewell to the provider too', async () => {
    const client = await signedIn();
    await expireTokens(client);
    const [before, live] = [provider.countTokenRequests('refresh_token'), provider.live()];
    expect((await client.delete(`${PATH}/ledger`)).status).toBe(200);
    expect(provider.seen.findLast(({ method }) => method === 'DELETE')).toMatchObject({ url: '/hook' });
    expect(provider.countTokenRequests('refresh_token') - before).toBe(1);
    expect(provider.live()).toBe(live - 1);
    expect(await rowsOf(client, 'connections')).toEqual([]);
  });

  it('that the provider took back do not keep a connection from ending', async () => {
    const client = await signedIn();
    provider.revokeAll();
    expect((await client.delete(`${PATH}/ledger`)).status).toBe(200);
    expect(await rowsOf(client, 'connections')).toEqual([]);
  });

  it('stay when settings are changed, and are revoked with the connection', async () => {
    const client = await signedIn();
    const changed = await client.patch(`${PATH}/ledger`, { settings: { pipeline: 'partners' } });
    expect(changed.status).toBe(200);
    expect(await listed(client)).toMatchObject({
      connection: { made_by: 'sign_in', settings: { pipeline: 'partners' } },
    });
    const before = provider.live();
    expect((await client.delete(`${PATH}/ledger`)).status).toBe(200);
    expect(provider.live()).toBe(before - 1);
  });
});

it('the manifest passes the checks of the hub', async () => {
  const { checkManifest } = await import('#sdk/manifest/check-manifest.js');
  expect(checkManifest(ledgerManifest(provider.url))).toEqual([]);
});
