import { Injectable, Module } from '@nestjs/common';
import { Lifecycle } from '#sdk/decorators.js';
import type { HubContext } from '#sdk/hub-context.js';
import type { ConnectionLifecycle, TestResult } from '#sdk/lifecycle.js';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import type { OAuth2Manifest } from '#sdk/manifest/oauth2-manifest.js';
import { PermanentError } from '#sdk/errors.js';
import type { JsonObject } from '#sdk/schema.js';
import { PluginContainer } from '#plugin-host/container/plugin-container.js';
import { PluginRegistry } from '#plugin-host/host/plugin.registry.js';
import type { Hub } from '../../../src/hub.js';

/** What a hub serves instead of the plugin with one provider. */
export interface LedgerOptions {
  readonly manifest?: PluginManifest;
  readonly urls?: Readonly<Record<string, string>>;
}

/** The manifest of a plugin that is connected by sign-in at a provider. @param url the provider's address */
export function ledgerManifest(url: string): PluginManifest {
  return {
    id: 'ledger',
    displayName: 'Ledger',
    description: 'Deals on accounts.',
    sdk: '^1.0.0',
    minPlan: 'growth',
    settings: {
      type: 'object',
      properties: {
        pipeline: { type: 'string', default: 'sales' },
        refuse: { type: 'boolean', default: false },
        realm: { type: 'string', enum: ['main', 'test'], default: 'main' },
      },
    },
    http: { hosts: [new URL(url).host] },
    oauth2: {
      authorizeUrl: `${url}/authorize?realm={settings.realm}`,
      tokenUrl: `${url}/token?realm={settings.realm}`,
      revokeUrl: `${url}/revoke`,
      scopes: ['contacts.read', 'deals.read'],
      tokenFields: ['instance_url'],
    },
  };
}

/** The plugin with sign-in at one of two providers, and pasted keys for a third. @param urls addresses by provider */
export function ledgerByProvider(urls: Readonly<Record<'north' | 'south', string>>): PluginManifest {
  const { oauth2: _, settings, ...manifest } = ledgerManifest(urls.north);
  const signInAt = (providerName: string, url: string) => ({
    ...(ledgerManifest(url).oauth2 as OAuth2Manifest),
    providerName,
  });
  const provider = { type: 'string', enum: ['north', 'south', 'west'], default: 'north' };
  return {
    ...manifest,
    credentials: { type: 'object', required: ['key'], properties: { key: { type: 'string', secret: true } } },
    settings: { ...settings, properties: { ...(settings!['properties'] as JsonObject), provider } },
    http: { hosts: Object.values(urls).map(url => new URL(url).host), auth: { credential: 'key' } },
    oauth2: {
      setting: 'provider',
      providers: { north: signInAt('Northern Ledger', urls.north), south: signInAt('Southern Ledger', urls.south) },
    },
  };
}

/**
 * Has a hub serve the plugin. Its connection test reads `/me` and tells what the plugin sees of its credentials.
 * @param urls addresses by the setting `provider`, for a plugin with several
 */
export async function serveLedger(
  hub: Pick<Hub, 'app'>,
  url: string,
  { manifest = ledgerManifest(url), urls = {} }: LedgerOptions = {},
): Promise<void> {
  const toUrl = ({ settings }: HubContext) => urls[String(settings['provider'])] ?? url;

  @Lifecycle()
  @Injectable()
  class LedgerConnection implements ConnectionLifecycle {
    async test(hub: HubContext): Promise<TestResult> {
      const { status } = await hub.http.request({ url: `${toUrl(hub)}/me`, auth: 'connection', attempts: 1 });
      return status === 200
        ? { outcome: 'ok', message: JSON.stringify(hub.credentials) }
        : { outcome: 'forbidden', message: `Ledger answered ${status}.` };
    }

    async connect({ settings }: HubContext): Promise<void> {
      if (settings['refuse'] === true) throw new PermanentError('The pipeline is gone.');
    }

    async disconnect(hub: HubContext): Promise<void> {
      await hub.http.request({ method: 'DELETE', url: `${toUrl(hub)}/hook`, auth: 'connection', attempts: 1 });
    }
  }

  @Module({ providers: [LedgerConnection] })
  class LedgerModule {}

  const container = await PluginContainer.start('ledger', { default: LedgerModule });
  const registry = hub.app.get(PluginRegistry, { strict: false });
  registry.add({ id: 'ledger', version: '1.0.0', manifest, container });
  registry.setListing([{ id: 'ledger', state: 'ready', package: 'rapport-plugin-ledger', version: '1.0.0' }]);
}
