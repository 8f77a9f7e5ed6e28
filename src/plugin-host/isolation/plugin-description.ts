import type { PluginHandler, PluginHandlers, PluginPrompt, PluginResource, PluginTool } from '#sdk/handlers.js';
import type { ConnectionLifecycle } from '#sdk/lifecycle.js';
import { toToolJsonSchema } from '#kernel/mcp/tool-schema.js';

/** Kinds of handlers of a plugin. */
const KINDS = ['jobs', 'runs', 'events', 'inbound', 'routes', 'tools', 'resources', 'prompts'] as const;

/** One of the kinds of handlers of a plugin. */
export type HandlerKind = (typeof KINDS)[number];

/** A handler in the process of a plugin: without its function, which is called by its place. */
type DescribedHandler = Omit<PluginHandler, 'call'> & { readonly options?: unknown };

/** What the process of a plugin tells of its code. Plain data. */
export interface PluginDescription {
  readonly handlers: Readonly<Record<HandlerKind, readonly DescribedHandler[]>>;
  readonly lifecycles: readonly { readonly where: string; readonly methods: readonly string[] }[];
}

const LIFECYCLE_METHODS = ['test', 'connect', 'disconnect', 'options', 'migrate', 'check'] as const;

/** Describes the handlers of a plugin. Schemas of zod become JSON Schema. */
export function describeHandlers(handlers: PluginHandlers): PluginDescription {
  const describe = (handler: PluginHandler & { readonly options?: unknown }): DescribedHandler => {
    const { name, where, batched, options } = handler;
    return { name, where, ...(batched && { batched }), ...(options !== undefined && { options }) };
  };
  const describeTool = ({ options, ...tool }: PluginTool): DescribedHandler => ({
    ...describe(tool),
    options: {
      ...options,
      input: toToolJsonSchema(options.input, 'input'),
      ...(options.output && { output: toToolJsonSchema(options.output, 'output') }),
    },
  });
  const described = KINDS.map(kind => [
    kind,
    kind === 'tools' ? handlers.tools.map(describeTool) : handlers[kind].map(describe),
  ]);
  return {
    handlers: Object.fromEntries(described) as PluginDescription['handlers'],
    lifecycles: handlers.lifecycles.map(({ where, instance }) => ({
      where,
      methods: LIFECYCLE_METHODS.filter(name => typeof instance[name] === 'function'),
    })),
  };
}

/** Calls a handler in the process of a plugin, by its kind and its place among those of this kind. */
export type CallHandler = (
  kind: HandlerKind | 'lifecycle',
  place: number | string,
  args: unknown[],
) => Promise<unknown>;

/** Makes the handlers of a description, which call those in the process of the plugin. */
export function toRemoteHandlers({ handlers, lifecycles }: PluginDescription, call: CallHandler): PluginHandlers {
  const connect = <Handler extends PluginHandler>(kind: HandlerKind): Handler[] =>
    handlers[kind].map(
      (handler, place) => ({ ...handler, call: (...args: unknown[]) => call(kind, place, args) }) as unknown as Handler,
    );
  return {
    jobs: connect('jobs'),
    runs: connect('runs'),
    events: connect('events'),
    inbound: connect('inbound'),
    routes: connect('routes'),
    tools: connect<PluginTool>('tools'),
    resources: connect<PluginResource>('resources'),
    prompts: connect<PluginPrompt>('prompts'),
    lifecycles: lifecycles.map(({ where, methods }) => ({
      where,
      instance: Object.fromEntries(
        methods.map(name => [name, (...args: unknown[]) => call('lifecycle', name, args)]),
      ) as Partial<ConnectionLifecycle>,
    })),
  };
}
