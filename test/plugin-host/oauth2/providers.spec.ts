import {
  FAKE_CLIENT,
  type FakeAuthorizationServer,
  startAuthorizationServer,
} from '../../fakes/authorization-server.js';
import { AGENTS } from '../../fixtures/mcp/agents.js';
import type { ErrorBody } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { ledgerByProvider, serveLedger } from '../../support/plugins/ledger-plugin.js';
import { ProviderBrowser } from '../../support/plugins/provider-browser.js';

const PATH = '/v2/workspace/integrations';

let north: FakeAuthorizationServer;
let south: FakeAuthorizationServer;
let hub: TestHub;
beforeAll(async () => {
  [north, south] = await Promise.all([startAuthorizationServer(), startAuthorizationServer()]);
  hub = await startTestHub({
    EGRESS_ALLOWLIST: '127.0.0.1',
    OAUTH_CLIENTS: JSON.stringify({ 'ledger:south': FAKE_CLIENT }),
  });
  const urls = { north: north.url, south: south.url };
  await serveLedger(hub, north.url, { manifest: ledgerByProvider(urls), urls });
});
afterAll(async () => {
  await hub?.end();
  await Promise.all([north?.close(), south?.close()]);
});

const requestLink = (client: Client, settings: object) =>
  client.post<{ provider_name: string; authorization_url: string } & ErrorBody>(`${PATH}/ledger/authorize`, {
    settings,
  });

/** A workspace that has signed in at the southern provider. */
async function signInSouth(): Promise<Client> {
  const client = await hub.workspace();
  const { body } = await requestLink(client, { provider: 'south' });
  expect(body.provider_name).toBe('Southern Ledger');
  const link = hub.url + new URL(body.authorization_url).pathname;
  const browser = new ProviderBrowser(hub.url);
  expect((await browser.open(link)).text).toContain('Connect Southern Ledger to Acme?');
  expect((await browser.signIn(link)).text).toContain('Southern Ledger is connected to Acme');
  return client;
}

describe('a plugin with sign-in at several providers', () => {
  it('lists them, and which of them the operator has set up', async () => {
    const client = await hub.workspace();
    const { body } = await client.get<{ integrations: { provider: string; sign_in: object }[] }>(PATH);
    const scopes = ['contacts.read', 'deals.read'];
    expect(body.integrations.find(({ provider }) => provider === 'ledger')!.sign_in).toEqual({
      is_configured: true,
      scopes,
      setting: 'provider',
      providers: [
        { value: 'north', name: 'Northern Ledger', is_configured: false, scopes, settings: ['realm'] },
        { value: 'south', name: 'Southern Ledger', is_configured: true, scopes, settings: ['realm'] },
      ],
    });
  });

  it('connects the provider that the settings select, refreshes its tokens there, and revokes them', async () => {
    const client = await signInSouth();
    south.dropAccessTokens();
    const { body } = await client.post(`${PATH}/ledger/test`, {});
    expect(body).toMatchObject({ outcome: 'ok' });
    expect(south.countTokenRequests('refresh_token')).toBe(1);
    const { status } = await client.delete(`${PATH}/ledger`);
    expect(status).toBe(200);
    expect(south.live()).toBe(0);
    expect(north.seen).toEqual([]);
  });

  it('keeps a connection with the provider to which its tokens belong', async () => {
    const client = await signInSouth();
    const { status, body } = await client.patch<ErrorBody>(`${PATH}/ledger`, { settings: { provider: 'north' } });
    expect(status).toBe(400);
    expect(body.details).toEqual([
      { field: 'settings.provider', message: expect.stringContaining('signing in at Southern Ledger: disconnect it') },
    ]);
    expect(await client.patch(`${PATH}/ledger`, { settings: { pipeline: 'partners' } })).toMatchObject({ status: 200 });
  });

  it('names the client that the operator has to set, and the providers without sign-in', async () => {
    const client = await hub.workspace();
    expect(await requestLink(client, {})).toMatchObject({
      status: 409,
      body: { error: 'oauth_client_missing', detail: expect.stringContaining('the client of "ledger:north"') },
    });
    const { status, body } = await requestLink(client, { provider: 'west' });
    expect(status).toBe(400);
    expect(body.details).toEqual([
      { field: 'settings.provider', message: expect.stringContaining('"north" or "south"') },
    ]);
  });

  it.each(AGENTS)(
    'gives an agent a link where the operator has set one up, and else says what to paste: %s',
    async (_, connect) => {
      const client = await hub.workspace();
      const agent = await connect(new URL(`${hub.url}/mcp`), client.key);
      const call = async (settings: object) =>
        (await agent.call('connect_integration', { provider: 'ledger', settings })).structuredContent;
      expect(await call({ provider: 'south' })).toMatchObject({
        status: 'sign_in_required',
        message: expect.stringContaining('sign in at Southern Ledger') as string,
      });
      expect(await call({ provider: 'north' })).toMatchObject({ status: 'missing_fields', missing_fields: ['key'] });
      await agent.close();
    },
  );
});
