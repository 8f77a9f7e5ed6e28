import { Injectable, Module } from '@nestjs/common';
import { Lifecycle } from '#sdk/decorators.js';
import { PermanentError } from '#sdk/errors.js';
import type { HubContext } from '#sdk/hub-context.js';
import type {
  CheckResult,
  ConnectionInfo,
  ConnectionLifecycle,
  ConnectionOption,
  OptionsRequest,
  TestResult,
} from '#sdk/lifecycle.js';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { PluginContainer } from '#plugin-host/container/plugin-container.js';
import { PluginRegistry } from '#plugin-host/host/plugin.registry.js';
import { type FakeWeb, startFakeWeb } from '../../fakes/fake-web.js';
import type { TestHub } from '../hub.js';

/** A plugin as partners write them, for a provider that the tests run themselves. */
export const acmeManifest: PluginManifest = {
  id: 'acme',
  displayName: 'Acme Dialer',
  description: 'Calls on timelines.',
  sdk: '^1.0.0',
  minPlan: 'growth',
  credentials: {
    type: 'object',
    required: ['api_key'],
    properties: {
      api_key: { type: 'string', minLength: 4, secret: true },
      region: { type: 'string', enum: ['eu', 'us'], default: 'eu' },
    },
  },
  settings: {
    type: 'object',
    properties: {
      api_url: { type: 'string', default: 'https://acme.example' },
      sync_days: { type: 'integer', default: 30 },
      queue: { type: 'string', default: '', options: 'provider' },
    },
  },
  jobs: { backfill: { attempts: 3, backoff: { type: 'fixed', delayMs: 100 }, timeoutMs: 1000, concurrency: 1 } },
  emits: { 'acme.called': { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } },
  inbound: {
    calls: {
      signature: { algorithm: 'hmac-sha256', header: 'x-acme-signature', prefix: 'sha256=', secretFrom: 'generated' },
      handshake: { method: 'POST', when: { field: 'type', equals: 'challenge' }, echo: 'challenge' },
    },
    numbered: {
      signature: { algorithm: 'standard-webhooks', secretFrom: 'generated' },
      handshake: { method: 'GET', echo: 'hub_challenge' },
    },
    own: {
      signature: { algorithm: 'hmac-sha256', header: 'x-acme-signature', secretFrom: 'api_key' },
      eventId: { field: 'event.id' },
    },
  },
};

type Acme = HubContext<{ api_key: string; region: string }, { api_url: string }>;

@Lifecycle()
@Injectable()
export class AcmeConnection implements ConnectionLifecycle {
  async test(hub: Acme): Promise<TestResult> {
    const { status } = await this.ask(hub, 'GET', '/me');
    const key = hub.credentials.api_key;
    if (status === 401) return { outcome: 'bad_credentials', message: `Acme does not know the key ${key}.` };
    if (status === 403) return { outcome: 'forbidden', message: 'The key may not read calls.' };
    return status === 200
      ? { outcome: 'ok', message: `Hello ${key}.` }
      : { outcome: 'unreachable', message: `${status}` };
  }

  async connect(hub: Acme, { inbound }: ConnectionInfo): Promise<void> {
    const known = await hub.store.get<string>('webhook');
    if (known) return;
    const { url, secret } = inbound['calls']!;
    const answer = await this.ask(hub, 'POST', '/webhooks', { url, secret: secret! });
    if (answer.status !== 201) throw new Error(`Acme answered ${answer.status} to ${hub.credentials.api_key}`);
    await hub.store.put('webhook', answer.json<{ id: string }>().id);
  }

  async disconnect(hub: Acme): Promise<void> {
    const id = await hub.store.get<string>('webhook');
    if (!id) return;
    const { status } = await this.ask(hub, 'DELETE', `/webhooks/${id}`);
    if (status !== 204 && status !== 404) throw new Error(`Acme answered ${status}`);
  }

  async check(hub: Acme): Promise<CheckResult> {
    const { status } = await this.ask(hub, 'GET', `/webhooks/${await hub.store.get<string>('webhook')}`);
    if (status >= 500) throw new Error(`Acme answered ${status} for ${hub.credentials.api_key}`);
    return { webhook_active: status === 200 };
  }

  async options(hub: Acme, { field, query }: OptionsRequest): Promise<readonly ConnectionOption[]> {
    const response = await this.ask(hub, 'GET', `/${field}s?q=${encodeURIComponent(query)}`);
    if (response.status === 401) throw new PermanentError(`Acme does not know the key ${hub.credentials.api_key}.`);
    return response.json<ConnectionOption[]>();
  }

  private ask(hub: Acme, method: 'GET' | 'POST' | 'DELETE', path: string, json?: Record<string, string>) {
    const headers = { authorization: `Bearer ${hub.credentials.api_key}` };
    return hub.http.request({ method, url: hub.settings.api_url + path, headers, attempts: 1, ...(json && { json }) });
  }
}

@Module({ providers: [AcmeConnection] })
class AcmeModule {}

/** The provider that the plugin talks to. */
export interface AcmeProvider extends FakeWeb {
  /** Subscriptions that it has, by id. */
  readonly webhooks: Map<string, { url: string; secret: string }>;
  /** When set, every request is answered with this status. */
  down: number | undefined;
}

/** The queues of the provider with a text in their name; 250 for `many`, and something else for `odd`. */
function queuesOf(query: string): object {
  if (query === 'odd') return { queues: [] };
  if (query === 'many') return Array.from({ length: 250 }, (_, i) => ({ value: i, label: `Queue ${i}` }));
  const queues = [
    { value: 'q1', label: 'Sales', description: '3 agents' },
    { value: 'q2', label: 'Support' },
  ];
  return queues.filter(({ label }) => label.toLowerCase().includes(query));
}

/** Starts the provider. It takes the keys that begin with `good`. */
export async function startAcme(): Promise<AcmeProvider> {
  const webhooks = new Map<string, { url: string; secret: string }>();
  const state = { down: undefined as number | undefined };
  let count = 0;
  const web = await startFakeWeb(({ method, url, headers, body }, response) => {
    const end = (status: number, json?: object) => response.writeHead(status).end(json && JSON.stringify(json));
    if (state.down) return end(state.down);
    if (headers['authorization'] === 'Bearer weak-key-of-acme') return end(403);
    if (!String(headers['authorization']).startsWith('Bearer good')) return end(401);
    if (url === '/me') return end(200, {});
    if (url.startsWith('/queues?q=')) return end(200, queuesOf(url.slice('/queues?q='.length)));
    const id = url.split('/')[2];
    if (method === 'POST') {
      webhooks.set(`w${++count}`, JSON.parse(body) as { url: string; secret: string });
      return end(201, { id: `w${count}` });
    }
    if (!id || !webhooks.has(id)) return end(404);
    if (method === 'DELETE') webhooks.delete(id);
    return end(method === 'DELETE' ? 204 : 200);
  });
  return {
    ...web,
    webhooks,
    get down() {
      return state.down;
    },
    set down(status: number | undefined) {
      state.down = status;
    },
  };
}

/** Has a hub serve the plugin, beside one that could not be loaded. */
export async function serveAcme(
  hub: TestHub,
  manifest: PluginManifest = acmeManifest,
  { version = '1.0.0', module = AcmeModule }: { readonly version?: string; readonly module?: object } = {},
): Promise<void> {
  const catalogue = hub.app.get(PluginRegistry, { strict: false });
  const container = await PluginContainer.start('acme', { default: module });
  catalogue.add({ id: 'acme', version, manifest, container });
  const found = { package: 'rapport-plugin-acme', version };
  catalogue.setListing([
    { id: 'acme', state: 'ready', ...found },
    { id: 'broken', state: 'failed', reason: 'It fails at its start: no.', ...found },
  ]);
}
