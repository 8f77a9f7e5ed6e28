import { Logger, type Type } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { collectHandlers, type PluginHandlers } from '../handlers.js';

/**
 * Default export of a plugin: a Nest module.
 * @example testHub(AcmeDialerPlugin, manifest)
 */
export type PluginModule = Type;

/** A plugin in its own Nest container, as in the hub. */
export interface OpenedPlugin {
  readonly handlers: PluginHandlers;
  /** One sentence per provider with handlers that is not a singleton. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts a plugin.
 * @throws the errors of the plugin's constructors and of Nest, for example for an unknown injectable
 */
export async function openTestPlugin(plugin: PluginModule): Promise<OpenedPlugin> {
  // Nest has one logger per process; this only hides lines that are noise in tests.
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

/** Checks whether a class has handlers. A factory may be a function without a prototype. */
function hasHandlers(prototype: object = {}): boolean {
  return Object.values(collectHandlers([Object.create(prototype)])).some(
    (handlers: readonly unknown[]) => handlers.length > 0,
  );
}
