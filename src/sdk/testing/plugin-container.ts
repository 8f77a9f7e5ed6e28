import { Logger, type Type } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { collectHandlers, type PluginHandlers } from '../handlers.js';

/**
 * What a plugin exports as `default`: a Nest module.
 * @example testHub(AcmeDialerPlugin, manifest)
 */
export type PluginModule = Type;

/** A plugin in a Nest container of its own, as the hub opens it. */
export interface OpenedPlugin {
  readonly handlers: PluginHandlers;
  /** Providers with handlers that have no single instance, each in a sentence. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

/** Opens a plugin. @throws what the plugin's constructors or Nest throw, for instance for an unknown injectable */
export async function openTestPlugin(plugin: PluginModule): Promise<OpenedPlugin> {
  // Nest's logger is one for the whole process; only what is noise in a test is left out of it.
  Logger.overrideLogger(['error', 'warn', 'fatal']);
  const application = await NestFactory.createApplicationContext(plugin, { abortOnError: false });
  const wrappers = [...application.get(ModulesContainer).values()].flatMap(module => [...module.providers.values()]);
  const scoped = wrappers.filter(wrapper => wrapper.metatype && !wrapper.isDependencyTreeStatic());
  return {
    handlers: collectHandlers(wrappers.map(wrapper => wrapper.instance as unknown)),
    faults: scoped
      .filter(({ metatype }) => hasHandlers((metatype as Partial<Type>).prototype as object | undefined))
      .map(
        ({ name }) => `${String(name)} is no singleton, so there is no instance to call: give it the default scope.`,
      ),
    close: () => application.close(),
  };
}

/** A factory may be a function without a prototype. */
function hasHandlers(prototype: object = {}): boolean {
  return Object.values(collectHandlers([Object.create(prototype)])).some(
    (handlers: readonly unknown[]) => handlers.length > 0,
  );
}
