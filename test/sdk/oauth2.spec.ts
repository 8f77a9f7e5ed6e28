import { Readable } from 'node:stream';
import { Injectable, Module } from '@nestjs/common';
import { definePlugin } from '#sdk/define-plugin.js';
import { RetryLater } from '#sdk/errors.js';
import { Lifecycle } from '#sdk/decorators.js';
import type { HubContext } from '#sdk/hub-context.js';
import type { ConnectionLifecycle, TestResult } from '#sdk/lifecycle.js';
import { checkManifest } from '#sdk/manifest/check-manifest.js';
import type { CredentialsOf, PluginManifest } from '#sdk/index.js';
import { conformance, testHub } from '#sdk/testing/index.js';
import { testIdentity } from '../support/plugins/test-identity.js';

const manifest: PluginManifest = {
  id: 'ledger',
  displayName: 'Ledger',
  description: 'Deals on accounts.',
  sdk: '^1.0.0',
  minPlan: 'starter',
  credentials: { type: 'object', required: ['api_key'], properties: { api_key: { type: 'string', secret: true } } },
  settings: { type: 'object', properties: { host: { type: 'string', enum: ['eu', 'us'], default: 'eu' } } },
  http: { baseUrl: 'https://api.ledger.example', auth: { credential: 'api_key', header: 'x-api-key', prefix: '' } },
  oauth2: {
    authorizeUrl: 'https://{settings.host}.ledger.example/authorize',
    tokenUrl: 'https://{settings.host}.ledger.example/token',
    scopes: ['read'],
    tokenFields: ['instance_url'],
  },
};
const { credentials: _, ...rest } = manifest;
const signInOnly: PluginManifest = { ...rest, http: { baseUrl: 'https://api.ledger.example' } };

@Lifecycle()
@Injectable()
class LedgerConnection implements ConnectionLifecycle {
  test({ http }: HubContext): Promise<TestResult> {
    return testIdentity(http);
  }

  async connect(): Promise<void> {}

  async disconnect(): Promise<void> {}
}

@Module({ providers: [LedgerConnection] })
class LedgerPlugin {}

describe('a plugin with sign-in', () => {
  it('sends the access token, and what else the token response had is among its credentials', async () => {
    const hub = await testHub(LedgerPlugin, signInOnly);
    hub.http.expect('GET', '/me', { headers: { authorization: 'Bearer test-access-token' } }).reply(200);
    expect(await hub.test()).toMatchObject({ outcome: 'ok' });
    expect(hub.accessToken).toBe('test-access-token');
    await hub.close();
  });

  it('is refused once before the token is refreshed, and fails if the new one is refused too', async () => {
    const hub = await testHub(LedgerPlugin, signInOnly, { accessToken: 'mine' });
    hub.http.expect('GET', '/me', { headers: { authorization: 'Bearer mine' } }).reply(401);
    hub.http.expect('GET', '/me', { headers: { authorization: 'Bearer mine-refreshed' } }).reply(200);
    expect(await hub.test()).toMatchObject({ outcome: 'ok' });
    hub.http.serve(() => ({ status: 401 }));
    await expect(hub.test()).rejects.toThrow('users have to sign in again');
    await hub.close();
  });

  it('sends a stream once, and retries later with the new token', async () => {
    const hub = await testHub(LedgerPlugin, signInOnly, { accessToken: 'mine' });
    hub.http.expect('PUT', '/file').reply(401);
    const file = Readable.from([Buffer.from('abc')]);
    const sent = hub.http.request({ method: 'PUT', url: '/file', auth: 'connection', body: file });
    await expect(sent).rejects.toThrow(RetryLater);
    expect(hub.http.sent.map(({ body }) => String(body))).toEqual(['abc']);
    await hub.close();
  });

  it('sends a pasted key in the header that the manifest names', async () => {
    const hub = await testHub(LedgerPlugin, manifest, { credentials: { api_key: 'k-1' } });
    hub.http.expect('GET', '/me', { headers: { 'x-api-key': 'k-1' } }).reply(200);
    expect(await hub.test()).toMatchObject({ outcome: 'ok' });
    expect(hub.accessToken).toBeUndefined();
    await hub.close();
  });

  it('needs to say which credential is sent', async () => {
    const { http: __, oauth2: ___, ...silent } = manifest;
    const hub = await testHub(LedgerPlugin, { ...silent, http: { baseUrl: 'https://api.ledger.example' } });
    await expect(hub.test()).rejects.toThrow('needs "http.auth" in the manifest of "ledger"');
    await hub.close();
  });

  const provider = () => ({ answer: () => ({ status: 200 }) });
  it.each(conformance(LedgerPlugin, signInOnly, { provider }))('$name', ({ run }) => run());

  it('has credentials that may be missing, because users connect in one of two ways', () => {
    const plugin = definePlugin({
      manifest: {
        ...rest,
        credentials: { type: 'object', required: ['api_key'], properties: { api_key: { type: 'string' } } },
        oauth2: {
          authorizeUrl: 'https://a.example/a',
          tokenUrl: 'https://a.example/t',
          scopes: [],
          tokenFields: ['org'],
        },
      },
    });
    const found: CredentialsOf<typeof plugin.manifest> = { api_key: 'k' };
    const other: CredentialsOf<typeof plugin.manifest> = { org: 'o-1' };
    // @ts-expect-error the token response has no such field
    const wrong: CredentialsOf<typeof plugin.manifest> = { tenant: 't-1' };
    expect([found, other, wrong]).toHaveLength(3);
  });

  it('has the texts of the token response of each provider', () => {
    const plugin = definePlugin({
      manifest: {
        ...rest,
        oauth2: {
          setting: 'host',
          providers: {
            eu: { ...signInAt('eu'), tokenFields: ['org'] },
            us: { ...signInAt('us'), tokenFields: ['team'] },
          },
        },
      },
    });
    const found: CredentialsOf<typeof plugin.manifest> = { org: 'o-1', team: 't-1' };
    // @ts-expect-error no token response has such a field
    const wrong: CredentialsOf<typeof plugin.manifest> = { tenant: 't-1' };
    expect([found, wrong]).toHaveLength(2);
  });
});

const signInAt = (region: string) => ({
  authorizeUrl: `https://${region}.ledger.example/authorize`,
  tokenUrl: `https://${region}.ledger.example/token`,
  scopes: ['read'],
});

describe('the manifest of a sign-in', () => {
  it('passes', () => {
    expect(checkManifest(manifest)).toEqual([]);
    const byProvider = { setting: 'host', providers: { eu: signInAt('eu'), us: signInAt('us') } };
    expect(checkManifest({ ...manifest, oauth2: byProvider })).toEqual([]);
    expect(checkManifest(signInOnly)).toEqual([]);
  });

  it.each<[string, Partial<PluginManifest>, string]>([
    ['no hosts for the tokens', { http: undefined }, '"oauth2" needs "http"'],
    [
      'an address that users may type',
      { settings: { type: 'object', properties: { host: { type: 'string', default: 'eu' } } } },
      'the setting "host": declare it with an "enum"',
    ],
    [
      'providers without a setting that selects them',
      { oauth2: { setting: 'region', providers: { eu: signInAt('eu'), us: signInAt('us') } } },
      'selected by the setting "region": declare it with an "enum"',
    ],
    [
      'a provider that the setting cannot have',
      { oauth2: { setting: 'host', providers: { eu: signInAt('eu'), asia: signInAt('asia') } } },
      'the provider "asia", which the setting "host" cannot have',
    ],
    ['a credential that does not exist', { http: { auth: { credential: 'key' } } }, 'sends the credential "key"'],
  ])('is refused with %s', (_name, change, fault) => {
    expect(checkManifest({ ...manifest, ...change } as PluginManifest).join()).toContain(fault);
  });
});
