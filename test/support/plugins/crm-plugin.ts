import { Injectable, Module } from '@nestjs/common';
import { Lifecycle } from '#sdk/decorators.js';
import type { ConnectionLifecycle, TestResult } from '#sdk/lifecycle.js';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { PluginContainer } from '#plugin-host/container/plugin-container.js';
import { PluginRegistry } from '#plugin-host/host/plugin.registry.js';
import type { TestHub } from '../hub.js';

const manifest: PluginManifest = {
  id: 'crm',
  displayName: 'CRM sync',
  description: 'Keeps a CRM in step.',
  sdk: '^1.0.0',
  minPlan: 'growth',
  credentials: {
    type: 'object',
    required: ['api_key'],
    properties: { api_key: { type: 'string', secret: true } },
  },
  settings: {
    type: 'object',
    additionalProperties: false,
    properties: {
      provider: { type: 'string', enum: ['hubspot', 'pipedrive', 'attio'], default: 'hubspot' },
      direction: { type: 'string', enum: ['pull', 'push', 'both'], default: 'pull' },
      auto_sync: { type: 'boolean', default: false },
      create_icp_threshold: { type: 'integer', minimum: 0, maximum: 90 },
    },
  },
};

@Lifecycle()
@Injectable()
class CrmConnection implements ConnectionLifecycle {
  async test(): Promise<TestResult> {
    return { outcome: 'ok', message: 'Fine.' };
  }

  async connect(): Promise<void> {}

  async disconnect(): Promise<void> {}
}

@Module({ providers: [CrmConnection] })
class CrmModule {}

/** Has a hub serve a plugin for CRMs that asks nobody. */
export async function serveCrm(hub: TestHub): Promise<void> {
  const container = await PluginContainer.start('crm', { default: CrmModule });
  hub.app.get(PluginRegistry, { strict: false }).add({ id: 'crm', version: '1.0.0', manifest, container });
}
