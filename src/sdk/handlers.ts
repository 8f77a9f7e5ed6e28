import { metadataKeys } from './metadata-keys.js';
import type { ConnectionLifecycle } from './lifecycle.js';
import type { McpPromptOptions } from './prompt.js';
import type { McpResourceOptions } from './resource.js';
import type { McpToolOptions } from './tool.js';

/**
 * A method that handles one job, run, event, webhook, route, tool, resource or prompt.
 * @example await handler.call(job, hub);
 */
export interface PluginHandler {
  /** Name of the job, run, event, webhook, route, tool or prompt, or URI of the resource. */
  readonly name: string;
  /** Class and method for messages, such as `Calls.backfill`. */
  readonly where: string;
  /** The method, bound to its instance. */
  readonly call: (...args: unknown[]) => unknown;
  /** Set if the method receives batches of events. */
  readonly batched?: true;
}

/**
 * A handler of a tool.
 * @example registry.register(tool.options, tool.call, { name: tool.where, plugin: manifest.id });
 */
export interface PluginTool extends PluginHandler {
  readonly options: McpToolOptions;
}

/**
 * A handler of a resource.
 * @example resource.options.uri
 */
export interface PluginResource extends PluginHandler {
  readonly options: McpResourceOptions;
}

/**
 * A handler of a prompt.
 * @example prompt.options.arguments
 */
export interface PluginPrompt extends PluginHandler {
  readonly options: McpPromptOptions;
}

/**
 * All handlers of a plugin.
 * @example const { jobs, tools } = collectHandlers(instances);
 */
export interface PluginHandlers {
  readonly jobs: readonly PluginHandler[];
  readonly runs: readonly PluginHandler[];
  readonly events: readonly PluginHandler[];
  readonly inbound: readonly PluginHandler[];
  readonly routes: readonly PluginHandler[];
  readonly tools: readonly PluginTool[];
  readonly resources: readonly PluginResource[];
  readonly prompts: readonly PluginPrompt[];
  /** Classes with `@Lifecycle()`; more than one is an error. */
  readonly lifecycles: readonly { readonly where: string; readonly instance: Partial<ConnectionLifecycle> }[];
}

/**
 * Collects the decorated methods of a plugin's instances, including inherited ones.
 * @param instances providers of the plugin's container; values that are not objects are ignored, duplicates count
 * once
 * @example collectHandlers([new Calls(), new AcmeConnection()]).jobs.map(job => job.name)
 */
export function collectHandlers(instances: Iterable<unknown>): PluginHandlers {
  const objects = [...new Set(instances)].filter(instance => typeof instance === 'object' && instance !== null);
  const methods = objects.flatMap(listMethods);
  const byName = (key: string): PluginHandler[] =>
    methods.flatMap(({ method, where, call }) => {
      const name: unknown = Reflect.getMetadata(key, method);
      return typeof name === 'string' ? [{ name, where, call }] : [];
    });
  const batchedEvents = methods.flatMap(({ method, where, call }) => {
    const names = (Reflect.getMetadata(metadataKeys.events, method) as readonly string[] | undefined) ?? [];
    return names.map((name): PluginHandler => ({ name, where, call, batched: true }));
  });
  const byOptions = <Options>(key: string, nameOf: (options: Options) => string) =>
    methods.flatMap(({ method, where, call }) => {
      const options = Reflect.getMetadata(key, method) as Options | undefined;
      return options ? [{ name: nameOf(options), where, call, options }] : [];
    });
  return {
    jobs: byName(metadataKeys.job),
    runs: byName(metadataKeys.run),
    events: [...byName(metadataKeys.event), ...batchedEvents],
    inbound: byName(metadataKeys.inbound),
    routes: byName(metadataKeys.route),
    tools: byOptions<McpToolOptions>(metadataKeys.tool, ({ name }) => name),
    resources: byOptions<McpResourceOptions>(metadataKeys.resource, ({ uri }) => uri),
    prompts: byOptions<McpPromptOptions>(metadataKeys.prompt, ({ name }) => name),
    lifecycles: objects
      .filter(instance => isLifecycle(instance.constructor))
      .map(instance => ({ where: instance.constructor.name, instance })),
  };
}

/** The value of a provider may have no constructor. */
function isLifecycle(constructor: unknown): boolean {
  return typeof constructor === 'function' && Reflect.getMetadata(metadataKeys.lifecycle, constructor) === true;
}

interface DecoratedMethod extends Omit<PluginHandler, 'name'> {
  readonly method: object;
}

function listMethods(instance: object): DecoratedMethod[] {
  const names = new Set<string>();
  for (let level = Object.getPrototypeOf(instance) as object | null; level && level !== Object.prototype;) {
    for (const name of Object.getOwnPropertyNames(level)) names.add(name);
    level = Object.getPrototypeOf(level) as object | null;
  }
  return [...names].flatMap(name => {
    const method = findMethod(instance, name);
    if (!method) return [];
    const call = (...args: unknown[]): unknown => Reflect.apply(method, instance, args);
    return [{ method, where: `${classNameOf(instance)}.${name}`, call }];
  });
}

function classNameOf({ constructor }: { readonly constructor?: { readonly name?: string } }): string {
  return constructor?.name ?? 'a value';
}

/** Reads property descriptors, so that no getter runs. */
function findMethod(instance: object, name: string): ((...args: unknown[]) => unknown) | undefined {
  for (let level: object | null = instance; level; level = Object.getPrototypeOf(level) as object | null) {
    const { value } = Object.getOwnPropertyDescriptor(level, name) ?? {};
    if (typeof value === 'function' && name !== 'constructor') return value as (...args: unknown[]) => unknown;
  }
  return undefined;
}
