import { SetMetadata } from '@nestjs/common';
import type { HubContext } from './hub-context.js';
import type { InboundDelivery, RouteRequest } from './deliveries.js';
import type { ConnectionLifecycle } from './lifecycle.js';
import { metadataKeys } from './metadata-keys.js';
import type { McpPromptOptions } from './prompt.js';
import type { McpResourceOptions, ResourceRequest } from './resource.js';
import type { ToolInput, ToolSchema } from './schema.js';
import type { McpToolOptions } from './tool.js';

export * from './metadata-keys.js';

/** Checks that the method takes what it will be given; `never` lets it name the shape of its own data. */
type HandlerDecorator<First> = <Method extends (first: First, hub: HubContext<never, never>, call: never) => unknown>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

/** Checks that the method takes what the input schema yields. */
type ToolDecorator<Input> = <Method extends (input: Input, context: never, call: never) => unknown>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

/**
 * Makes a method of a provider a tool for agents. In a plugin the method receives the checked input, the
 * `HubContext` and, third, the `ToolContext` of the call; in the hub itself the `ToolContext` comes second. A plain
 * object that it returns becomes structured content and the same JSON as text.
 * @example
 * ```ts
 * @McpTool({ name: 'acme_list_calls', title: 'List calls', description: 'Latest calls with a person.',
 *   input: z.object({ focus: z.string() }), scopes: ['read'],
 *   annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true } })
 * listCalls({ focus }: { focus: string }, hub: HubContext) { … }
 * ```
 */
export function McpTool<S extends ToolSchema>(options: McpToolOptions<S>): ToolDecorator<ToolInput<S>> {
  return SetMetadata(metadataKeys.tool, options);
}

/**
 * Makes a method of a provider a resource, which clients read by its address. The method receives a `ResourceRead` and
 * then what a tool receives, and gives a `ResourceAnswer`.
 * @example
 * ```ts
 * @McpResource({ uri: 'acme-dialer://calls/{id}', name: 'call', title: 'Call', description: 'A call with its outcome.',
 *   scopes: ['read'] })
 * read({ params }: ResourceRead, hub: HubContext): Promise<ResourceAnswer> { … }
 * ```
 */
export function McpResource(options: McpResourceOptions): ToolDecorator<ResourceRequest> {
  return SetMetadata(metadataKeys.resource, options);
}

/**
 * Makes a method of a provider a prompt, which users pick from a list. The method receives the arguments, all of them
 * text, and then what a tool receives, and gives a `PromptAnswer`.
 * @example
 * ```ts
 * @McpPrompt({ name: 'acme_dialer_prepare', title: 'Prepare a call', description: 'What to know before you dial.',
 *   arguments: [{ name: 'focus', description: 'Whom to call', required: true }], scopes: ['read'] })
 * prepare({ focus }: Record<string, string>): PromptAnswer { … }
 * ```
 */
export function McpPrompt(options: McpPromptOptions): ToolDecorator<Record<string, string>> {
  return SetMetadata(metadataKeys.prompt, options);
}

/**
 * Takes a job that the manifest declares in `jobs`: `(job: PluginJob, hub: HubContext)`.
 * @example
 * ```ts
 * @OnJob('backfill')
 * async backfill({ data }: PluginJob<{ email: string }>, hub: HubContext) { … }
 * ```
 */
export function OnJob(name: string): HandlerDecorator<never> {
  return SetMetadata(metadataKeys.job, name);
}

/**
 * Takes an event that the manifest lists in `consumes`: `(event: PluginEvent, hub: HubContext)`.
 * @example
 * ```ts
 * @OnEvent('contact.imported')
 * async imported({ payload }: PluginEvent<'contact.imported'>, hub: HubContext) { … }
 * ```
 */
export function OnEvent(type: string): HandlerDecorator<never> {
  return SetMetadata(metadataKeys.event, type);
}

/**
 * Takes events that the manifest lists in `consumes`, as many at a time as came together, 100 at most:
 * `(events: readonly PluginEvent[], hub: HubContext)`. For what many events can share, such as a look into the store. When
 * it fails, each of them is handed over by itself, so that one that always fails keeps no other from being done.
 * @example
 * ```ts
 * @OnEvents('note.saved', 'contact.created')
 * async index(events: readonly PluginEvent<'note.saved' | 'contact.created'>[], hub: HubContext) { … }
 * ```
 */
export function OnEvents(...types: readonly [string, ...string[]]): HandlerDecorator<never> {
  return SetMetadata(metadataKeys.events, types);
}

/**
 * Takes a webhook that the manifest declares in `inbound`: `(delivery: InboundDelivery, hub: HubContext)`. Runs as
 * a job: the signature is checked and the provider has its 200 already.
 * @example
 * ```ts
 * @OnInbound('bookings')
 * async receive({ json }: InboundDelivery, hub: HubContext) { … }
 * ```
 */
export function OnInbound(name: string): HandlerDecorator<InboundDelivery> {
  return SetMetadata(metadataKeys.inbound, name);
}

/**
 * Answers a route that the manifest declares in `routes`: `(request: RouteRequest, hub: HubContext)`, and gives a
 * `RouteAnswer`.
 * @example
 * ```ts
 * @OnRoute('list')
 * async list({ query }: RouteRequest, hub: HubContext): Promise<RouteAnswer> { … }
 * ```
 */
export function OnRoute(name: string): HandlerDecorator<RouteRequest<never>> {
  return SetMetadata(metadataKeys.route, name);
}

/**
 * Marks the class that connects and disconnects; see `ConnectionLifecycle`. At most one in a plugin.
 * @example
 * ```ts
 * @Lifecycle()
 * @Injectable()
 * export class AcmeConnection implements ConnectionLifecycle { … }
 * ```
 */
export function Lifecycle(): (target: abstract new (...args: never[]) => ConnectionLifecycle) => void {
  return SetMetadata(metadataKeys.lifecycle, true) as (target: unknown) => void;
}
