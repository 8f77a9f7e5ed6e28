import { metadataKeys } from './metadata-keys.js';
import type { ConnectionLifecycle } from './lifecycle.js';
import type { McpPromptOptions } from './prompt.js';
import type { McpResourceOptions } from './resource.js';
import type { McpToolOptions } from './tool.js';

/**
 * A method that takes deliveries of one name.
 * @example await handler.call(job, hub);
 */
export interface PluginHandler {
  /** Of the job, event, webhook, route, tool or prompt; of a resource its address. */
  readonly name: string;
  /** For messages: `Calls.backfill`. */
  readonly where: string;
  /** Bound to its instance. */
  readonly call: (...args: unknown[]) => unknown;
  /** It takes events several at a time. */
  readonly batched?: true;
}

/**
 * A method that is a tool.
 * @example registry.register(tool.options, tool.call, { name: tool.where, plugin: manifest.id });
 */
export interface PluginTool extends PluginHandler {
  readonly options: McpToolOptions;
}

/**
 * A method that reads a resource.
 * @example resource.options.uri
 */
export interface PluginResource extends PluginHandler {
  readonly options: McpResourceOptions;
}

/**
 * A method that makes a prompt.
 * @example prompt.options.arguments
 */
export interface PluginPrompt extends PluginHandler {
  readonly options: McpPromptOptions;
}

/**
 * All that a plugin's code handles.
 * @example const { jobs, tools } = handlersOf(instances);
 */
export interface PluginHandlers {
  readonly jobs: readonly PluginHandler[];
  readonly events: readonly PluginHandler[];
  readonly inbound: readonly PluginHandler[];
  readonly routes: readonly PluginHandler[];
  readonly tools: readonly PluginTool[];
  readonly resources: readonly PluginResource[];
  readonly prompts: readonly PluginPrompt[];
  /** More than one is a fault. */
  readonly lifecycles: readonly { readonly where: string; readonly instance: Partial<ConnectionLifecycle> }[];
}

/**
 * Finds the decorated methods of a plugin's instances, those that they inherit included.
 * @param instances providers of the plugin's container; what is no object is passed over, what comes twice counts once
 * @example handlersOf([new Calls(), new AcmeConnection()]).jobs.map(job => job.name)
 */
export function collectHandlers(instances: Iterable<unknown>): PluginHandlers {
  const objects = [...new Set(instances)].filter(instance => typeof instance === 'object' && instance !== null);
  const methods = objects.flatMap(listMethods);
  const marked = (key: string): PluginHandler[] =>
    methods.flatMap(({ method, where, call }) => {
      const name: unknown = Reflect.getMetadata(key, method);
      return typeof name === 'string' ? [{ name, where, call }] : [];
    });
  const gathering = methods.flatMap(({ method, where, call }) => {
    const names = (Reflect.getMetadata(metadataKeys.events, method) as readonly string[] | undefined) ?? [];
    return names.map((name): PluginHandler => ({ name, where, call, batched: true }));
  });
  const optioned = <Options>(key: string, nameOf: (options: Options) => string) =>
    methods.flatMap(({ method, where, call }) => {
      const options = Reflect.getMetadata(key, method) as Options | undefined;
      return options ? [{ name: nameOf(options), where, call, options }] : [];
    });
  return {
    jobs: marked(metadataKeys.job),
    events: [...marked(metadataKeys.event), ...gathering],
    inbound: marked(metadataKeys.inbound),
    routes: marked(metadataKeys.route),
    tools: optioned<McpToolOptions>(metadataKeys.tool, ({ name }) => name),
    resources: optioned<McpResourceOptions>(metadataKeys.resource, ({ uri }) => uri),
    prompts: optioned<McpPromptOptions>(metadataKeys.prompt, ({ name }) => name),
    lifecycles: objects
      .filter(instance => isLifecycle(instance.constructor))
      .map(instance => ({ where: instance.constructor.name, instance })),
  };
}

/** What a provider's value is may have no constructor at all. */
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

/** Looks without running getters. */
function findMethod(instance: object, name: string): ((...args: unknown[]) => unknown) | undefined {
  for (let level: object | null = instance; level; level = Object.getPrototypeOf(level) as object | null) {
    const { value } = Object.getOwnPropertyDescriptor(level, name) ?? {};
    if (typeof value === 'function' && name !== 'constructor') return value as (...args: unknown[]) => unknown;
  }
  return undefined;
}
