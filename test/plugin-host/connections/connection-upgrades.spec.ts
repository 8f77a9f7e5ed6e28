import { Injectable, Module } from '@nestjs/common';
import { Lifecycle } from '#sdk/decorators.js';
import { PermanentError } from '#sdk/errors.js';
import type { MigratedValues, StoredValues } from '#sdk/lifecycle.js';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { ConnectionMonitor } from '#plugin-host/connections/connection.monitor.js';
import { DeliveryContextFactory } from '#plugin-host/context/delivery-context.factory.js';
import { toJobFailure } from '#plugin-host/jobs/job.options.js';
import { PluginRegistry } from '#plugin-host/host/plugin.registry.js';
import {
  AcmeConnection,
  acmeManifest,
  type AcmeProvider,
  serveAcme,
  startAcme,
} from '../../support/plugins/acme-plugin.js';
import type { ErrorBody } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

const PATH = '/v2/workspace/integrations';
const KEY = 'good-key-of-acme-1';

interface Listed {
  readonly integrations: readonly {
    readonly provider: string;
    readonly state: string;
    readonly reason: string | null;
    readonly connection: { readonly id: string; readonly settings: object } | null;
  }[];
}

/** The settings of version 2: `sync_days` has become `sync: { days }`. */
const newManifest: PluginManifest = {
  ...acmeManifest,
  settings: {
    type: 'object',
    properties: {
      api_url: { type: 'string', default: 'https://acme.example' },
      sync: { type: 'object', default: {}, properties: { days: { type: 'integer' } } },
    },
  },
};

let migrate: (stored: StoredValues) => MigratedValues;

@Lifecycle()
@Injectable()
class NewConnection extends AcmeConnection {
  migrate(stored: StoredValues): MigratedValues {
    return migrate(stored);
  }
}

@Module({ providers: [NewConnection] })
class NewModule {}

let hub: TestHub;
let acme: AcmeProvider;
let client: Client;

beforeAll(async () => {
  hub = await startTestHub({ EGRESS_ALLOWLIST: '127.0.0.1' });
  acme = await startAcme();
});
afterAll(async () => {
  await hub?.end();
  await acme?.close();
});
beforeEach(async () => {
  acme.webhooks.clear();
  migrate = ({ credentials, settings: { api_url, sync_days } }) => ({
    credentials,
    settings: { api_url: api_url!, sync: { days: sync_days ?? 30 } },
  });
  await serveAcme(hub);
  client = await hub.workspace();
  const settings = { api_url: acme.url, sync_days: 7 };
  await client.post(PATH, { provider: 'acme', credentials: { api_key: KEY }, settings });
  acme.seen.splice(0);
});

const serveNew = (version = '2.0.0') => serveAcme(hub, newManifest, { version, module: NewModule });
const test = () => client.post<{ ok: boolean } & ErrorBody>(`${PATH}/acme/test`, {});
const listed = async () =>
  (await client.get<Listed>(PATH)).body.integrations.find(({ provider }) => provider === 'acme')!;
const row = async () =>
  (
    await hub.database.pool.query<{ id: string; plugin_version: string; state: string }>(
      'SELECT id, plugin_version, state FROM connections WHERE workspace_id = $1',
      [client.workspaceId],
    )
  ).rows[0]!;

describe('a connection of an older version', () => {
  it('is converted when it is used first, once, and keeps its credentials', async () => {
    const seen: StoredValues[] = [];
    const convert = migrate;
    migrate = stored => (seen.push(stored), convert(stored));
    await serveNew();
    expect(await test()).toMatchObject({ status: 200, body: { ok: true } });
    expect(await test()).toMatchObject({ status: 200, body: { ok: true } });
    expect(seen).toEqual([
      { version: '1.0.0', settings: { api_url: acme.url, sync_days: 7 }, credentials: { api_key: KEY, region: 'eu' } },
    ]);
    expect(await row()).toMatchObject({ plugin_version: '2.0.0', state: 'connected' });
    expect((await listed()).connection?.settings).toEqual({ api_url: acme.url, sync: { days: 7 } });
  });

  it('loses what is no longer declared if the plugin converts nothing', async () => {
    await serveAcme(hub, newManifest, { version: '2.0.0' });
    expect(await test()).toMatchObject({ status: 200, body: { ok: true } });
    expect((await listed()).connection?.settings).toEqual({ api_url: acme.url });
  });

  it('is converted by the monitor, when nothing uses it', async () => {
    await serveNew();
    await hub.database.pool.query('UPDATE connections SET due_at = now() WHERE workspace_id = $1', [
      client.workspaceId,
    ]);
    await hub.app.get(ConnectionMonitor, { strict: false }).runNow();
    expect(await row()).toMatchObject({ plugin_version: '2.0.0', state: 'connected' });
  });

  it('is left alone by an older version, while both run', async () => {
    await serveNew();
    await test();
    await serveAcme(hub);
    await test();
    expect(await row()).toMatchObject({ plugin_version: '2.0.0', state: 'connected' });
  });
});

describe('a connection whose values do not fit', () => {
  beforeEach(async () => {
    migrate = ({ credentials }) => {
      throw new PermanentError(`Choose a workspace for the key ${String(credentials['api_key'])}.`);
    };
    await serveNew();
  });

  it('has the state reconnect with the reason, without its secrets, and is not called', async () => {
    const refused = await test();
    expect(refused).toMatchObject({ status: 409, body: { error: 'not_connected' } });
    expect(refused.body.detail).toMatch(/^Choose a workspace for the key .+ Connect the provider again\.$/);
    const { state, reason } = await listed();
    expect([state, reason]).toEqual(['reconnect', refused.body.detail]);
    expect(JSON.stringify([refused.body, await listed()])).not.toContain(KEY);
    expect(acme.seen).toEqual([]);
    expect((await client.patch<ErrorBody>(`${PATH}/acme`, { name: 'New' })).body.error).toBe('not_connected');
  });

  it('hides secrets that the new version has under another name', async () => {
    const properties = { token: { type: 'string', secret: true, default: '' } };
    const manifest = { ...newManifest, credentials: { type: 'object', properties } };
    await serveAcme(hub, manifest, { version: '2.0.0', module: NewModule });
    expect((await test()).body.detail).toContain('Choose a workspace');
    expect(JSON.stringify(await listed())).not.toContain(KEY);
  });

  it('lets deliveries wait, and is theirs again when somebody connects', async () => {
    await test();
    const contexts = hub.app.get<DeliveryContextFactory>(DeliveryContextFactory as never, { strict: false });
    const create = async () => {
      const plugin = hub.app.get(PluginRegistry, { strict: false }).findReady('acme')!;
      const { id: connectionId } = await row();
      const { workspaceId } = client;
      return contexts.create({ workspaceId, plugin, connectionId, signal: new AbortController().signal });
    };
    const error: unknown = await create().catch((thrown: unknown) => thrown);
    const job = { attempts: 0, deferrals: 9 } as Parameters<typeof toJobFailure>[0];
    const policy = { attempts: 1 } as Parameters<typeof toJobFailure>[1];
    expect(toJobFailure(job, policy, error)).toMatchObject({ disposition: 'retry', attempts: 0, deferrals: 9 });

    const again = { provider: 'acme', credentials: { api_key: KEY }, settings: { api_url: acme.url } };
    expect(await client.post(PATH, again)).toMatchObject({ status: 200 });
    expect(await row()).toMatchObject({ plugin_version: '2.0.0', state: 'connected' });
    expect((await create())?.hub.credentials).toMatchObject({ api_key: KEY });
    expect(acme.webhooks.size).toBe(1);
  });

  it('is connected again by a version that can convert it', async () => {
    await test();
    migrate = ({ credentials }) => ({ credentials, settings: { api_url: acme.url } });
    await serveNew('2.0.1');
    expect(await test()).toMatchObject({ status: 200, body: { ok: true } });
    expect(await listed()).toMatchObject({ state: 'connected', reason: null });
  });

  it('can be disconnected', async () => {
    await test();
    expect((await client.delete(`${PATH}/acme`)).body).toMatchObject({ disconnected: true });
    expect(acme.webhooks.size).toBe(0);
  });

  it('names the field if the result does not fit the manifest', async () => {
    migrate = ({ credentials }) => ({ credentials, settings: { sync: { days: 'many' } } });
    const { body } = await test();
    expect(body.detail).toContain('Version 2.0.0 of acme needs other values: settings.sync.days');
  });
});
