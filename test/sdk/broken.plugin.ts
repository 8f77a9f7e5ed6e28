import { Injectable, Module, Scope } from '@nestjs/common';
import {
  type HubContext,
  type InboundDelivery,
  Lifecycle,
  McpTool,
  OnEvent,
  OnInbound,
  OnJob,
  OnRoute,
} from '#sdk/index.js';
import type { ConnectionInfo, PluginManifest, RouteResponse, RouteRequest, TestResult } from '#sdk/index.js';

/** What plugins get wrong, each in one handler. */
@Injectable()
export class Broken {
  private count = 0;

  /** No external id. */
  @OnInbound('forgetful')
  async forgetful(_delivery: InboundDelivery, hub: HubContext): Promise<void> {
    await hub.graph.record('ada@example.org', [{ kind: 'event', property: 'interaction.call_held' }]);
  }

  /** Another external id each time. */
  @OnJob('counting')
  async counting(_job: unknown, hub: HubContext): Promise<void> {
    this.count += 1;
    await hub.graph.record('ada@example.org', [
      { kind: 'event', property: 'interaction.call_held', external_id: `c-${this.count}` },
    ]);
  }

  /** Adds to the store. */
  @OnEvent('note.saved')
  async adding(_event: unknown, hub: HubContext): Promise<void> {
    const sum = (await hub.store.get<number>('sum')) ?? 0;
    await hub.store.put('sum', sum + 1);
  }

  /** Asks the provider for what it has just made, and swallows every error. */
  @OnJob('swallowing')
  async swallowing(_job: unknown, hub: HubContext): Promise<void> {
    await hub.http.request({ url: 'https://provider.example/v1/secret-door' }).catch(() => undefined);
  }

  /** Tells the log its key. */
  @OnRoute('talking')
  async talking(_request: RouteRequest, hub: HubContext<{ api_key: string }>): Promise<RouteResponse> {
    hub.log.info('calling with', { headers: { authorization: `Bearer ${hub.credentials.api_key}` } });
    return { body: { ok: true } };
  }

  @McpTool({
    name: 'broken_count',
    title: 'Count',
    description: 'Counts up',
    input: { anyOf: [{ type: 'object' }] },
    scopes: ['read'],
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  })
  async tool(_input: object, hub: HubContext): Promise<object> {
    return { noted: await hub.graph.note('ada@example.org', { title: 'Again', content: 'and again' }) };
  }
}

/** Makes a subscription at every connect, hides failures, and tests by writing. */
@Lifecycle()
@Injectable()
export class BrokenConnection {
  async test(hub: HubContext): Promise<TestResult> {
    await hub.http.request({ method: 'POST', url: 'https://provider.example/v1/ping' });
    return { outcome: 'ok', message: 'always' };
  }

  async connect(hub: HubContext, _connection: ConnectionInfo): Promise<void> {
    await hub.http.request({ method: 'POST', url: 'https://provider.example/v1/webhooks' });
  }

  async disconnect(hub: HubContext): Promise<void> {
    await hub.http.request({ method: 'DELETE', url: 'https://provider.example/v1/webhooks' });
  }
}

@Module({ providers: [Broken, BrokenConnection] })
export class BrokenPlugin {}

/** Has a handler, and no single instance. */
@Injectable({ scope: Scope.REQUEST })
class Scoped {
  @OnJob('counting')
  async count(): Promise<void> {}
}

@Module({ providers: [Scoped] })
export class ScopedPlugin {}

export const brokenManifest = {
  id: 'broken',
  displayName: 'Broken',
  description: 'Does everything wrong.',
  sdk: '^1.0.0',
  minPlan: 'growth',
  credentials: {
    type: 'object',
    required: ['api_key'],
    properties: { api_key: { type: 'string', secret: true } },
  },
  consumes: ['note.saved'],
  jobs: { counting: {}, swallowing: {} },
  inbound: { forgetful: { signature: { algorithm: 'hmac-sha256', header: 'x-signature', secretFrom: 'generated' } } },
  routes: { talking: { method: 'GET', path: 'talk', auth: 'workspace' } },
  tools: { broken_count: { visibility: 'agent', readOnly: false, idempotent: true, destructive: false } },
} as const satisfies PluginManifest;
