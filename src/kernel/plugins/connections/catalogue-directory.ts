import { Injectable } from '@nestjs/common';
import type { HubContext } from '#sdk/hub-context.js';
import type { ConnectionInfo, ConnectionLifecycle } from '#sdk/lifecycle.js';
import type { PluginManifest } from '#sdk/manifest.js';
import { PluginCatalogue, type ReadyPlugin } from '../plugin-catalogue.js';
import { type ConnectablePlugin, type FoundPlugin, PluginDirectory } from './plugin-directory.js';

/** The plugins of the host, as far as connecting to them goes. */
@Injectable()
export class CatalogueDirectory extends PluginDirectory {
  constructor(private readonly catalogue: PluginCatalogue) {
    super();
  }

  list(): readonly FoundPlugin[] {
    return this.catalogue.list();
  }

  manifestOf(id: string): PluginManifest | undefined {
    return this.catalogue.expected().find(plugin => plugin.id === id)?.manifest;
  }

  ready(id: string): ConnectablePlugin | undefined {
    const plugin = this.catalogue.ready(id);
    return plugin && { id, manifest: plugin.manifest, lifecycle: lifecycleOf(plugin) };
  }
}

/** The lifecycle of a plugin, called inside of its cell. */
function lifecycleOf({ cell }: ReadyPlugin): ConnectionLifecycle | undefined {
  const instance = cell.handlers.lifecycles[0]?.instance as ConnectionLifecycle | undefined;
  if (!instance) return undefined;
  const inCell =
    <Result>(method: (hub: HubContext, connection: ConnectionInfo) => Promise<Result>) =>
    (...args: [hub: HubContext, connection: ConnectionInfo]) =>
      cell.call({ call: () => method.apply(instance, args) }, ...args) as Promise<Result>;
  return {
    test: hub => cell.call({ call: () => instance.test(hub) }, hub) as ReturnType<ConnectionLifecycle['test']>,
    connect: inCell(instance.connect),
    disconnect: inCell(instance.disconnect),
    ...(instance.check && { check: inCell(instance.check) }),
  };
}
