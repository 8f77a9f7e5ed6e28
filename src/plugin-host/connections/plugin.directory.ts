import { Injectable } from '@nestjs/common';
import type { HubContext } from '#sdk/hub-context.js';
import type { ConnectionInfo, ConnectionLifecycle, MigratedValues } from '#sdk/lifecycle.js';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { PluginRegistry, type ReadyPlugin } from '../host/plugin.registry.js';

/** A running plugin with the parts that connections use. */
export interface ConnectablePlugin {
  readonly id: string;
  readonly version: string;
  readonly manifest: PluginManifest;
  /** Undefined for a plugin without a provider. Calls run in the plugin's container. */
  readonly lifecycle: ConnectionLifecycle | undefined;
}

/** A discovered plugin in any state. */
export interface DiscoveredPlugin {
  readonly id: string;
  readonly state: string;
  /** Why it is not running. */
  readonly reason?: string | undefined;
}

/** Looks up the plugins of this process for connections. */
@Injectable()
export class PluginDirectory {
  constructor(private readonly registry: PluginRegistry) {}

  /** Returns all discovered plugins, in the order of discovery. */
  list(): readonly DiscoveredPlugin[] {
    return this.registry.list();
  }

  /** Returns the manifest of a plugin that should be running, even if it cannot be started. */
  findManifest(id: string): PluginManifest | undefined {
    return this.registry.listExpected().find(plugin => plugin.id === id)?.manifest;
  }

  /** Returns a running plugin. */
  findReady(id: string): ConnectablePlugin | undefined {
    const plugin = this.registry.findReady(id);
    return plugin && toConnectable(plugin);
  }
}

/** Returns the parts of a running plugin that connections use. */
export function toConnectable(plugin: ReadyPlugin): ConnectablePlugin {
  const { id, version, manifest } = plugin;
  return { id, version, manifest, lifecycle: bindLifecycle(plugin) };
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
    ...(instance.options && {
      options: (hub, request) =>
        container.call({ call: () => instance.options!(hub, request) }, hub) as ReturnType<
          NonNullable<ConnectionLifecycle['options']>
        >,
    }),
    ...(instance.migrate && {
      migrate: async stored =>
        container.call({ call: async () => instance.migrate!(stored) }) as Promise<MigratedValues>,
    }),
    ...(instance.check && { check: callInContainer(instance.check) }),
  };
}
