import { Injectable } from '@nestjs/common';
import type { HubContext } from '#sdk/hub-context.js';
import type { ConnectionInfo, ConnectionLifecycle } from '#sdk/lifecycle.js';
import type { PluginManifest } from '#sdk/manifest.js';
import { PluginRegistry, type ReadyPlugin } from '../host/plugin.registry.js';
import { type ConnectablePlugin, type DiscoveredPlugin, PluginDirectory } from './plugin.directory.js';

/** Implements {@link PluginDirectory} with the plugin registry. */
@Injectable()
export class RegistryPluginDirectory extends PluginDirectory {
  constructor(private readonly registry: PluginRegistry) {
    super();
  }

  list(): readonly DiscoveredPlugin[] {
    return this.registry.list();
  }

  findManifest(id: string): PluginManifest | undefined {
    return this.registry.listExpected().find(plugin => plugin.id === id)?.manifest;
  }

  findReady(id: string): ConnectablePlugin | undefined {
    const plugin = this.registry.findReady(id);
    return plugin && { id, manifest: plugin.manifest, lifecycle: bindLifecycle(plugin) };
  }
}

/** Wraps the lifecycle of a plugin so that its methods run in the plugin's container. */
function bindLifecycle({ container }: ReadyPlugin): ConnectionLifecycle | undefined {
  const instance = container.handlers.lifecycles[0]?.instance as ConnectionLifecycle | undefined;
  if (!instance) return undefined;
  const callInContainer =
    <Result>(method: (hub: HubContext, connection: ConnectionInfo) => Promise<Result>) =>
    (...args: [hub: HubContext, connection: ConnectionInfo]) =>
      container.call({ call: () => method.apply(instance, args) }, ...args) as Promise<Result>;
  return {
    test: hub => container.call({ call: () => instance.test(hub) }, hub) as ReturnType<ConnectionLifecycle['test']>,
    connect: callInContainer(instance.connect),
    disconnect: callInContainer(instance.disconnect),
    ...(instance.check && { check: callInContainer(instance.check) }),
  };
}
