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

/** Checks the first parameter of the method; `never` lets the method declare the shape of its own data. */
type HandlerDecorator<First> = <Method extends (first: First, hub: HubContext<never, never>, call: never) => unknown>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

/** Checks that the first parameter of the method matches the parsed input. */
type ToolDecorator<Input> = <Method extends (input: Input, context: never, call: never) => unknown>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

/**
 * Registers a method of a provider as a tool for agents. In a plugin the method receives the validated input, the
 * `HubContext` and the `ToolContext` of the call. In the hub itself the `ToolContext` is the second argument. A plain
 * object that it returns becomes structured content, and the same JSON as text.
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
 * Registers a method of a provider as a resource, which clients read by its URI. The method receives a
 * `ResourceRequest` and then the same arguments as a tool, and returns a `ResourceResult`.
 * @example
 * ```ts
 * @McpResource({ uri: 'acme-dialer://calls/{id}', name: 'call', title: 'Call', description: 'A call with its outcome.',
 *   scopes: ['read'] })
 * read({ params }: ResourceRequest, hub: HubContext): Promise<ResourceResult> { … }
 * ```
 */
export function McpResource(options: McpResourceOptions): ToolDecorator<ResourceRequest> {
  return SetMetadata(metadataKeys.resource, options);
}

/**
 * Registers a method of a provider as a prompt, which users pick from a list. The method receives the arguments, all
 * of them strings, and then the same arguments as a tool, and returns a `PromptResult`.
 * @example
 * ```ts
 * @McpPrompt({ name: 'acme_dialer_prepare', title: 'Prepare a call', description: 'What to know before you dial.',
 *   arguments: [{ name: 'focus', description: 'Contact to call', required: true }], scopes: ['read'] })
 * prepare({ focus }: Record<string, string>): PromptResult { … }
 * ```
 */
export function McpPrompt(options: McpPromptOptions): ToolDecorator<Record<string, string>> {
  return SetMetadata(metadataKeys.prompt, options);
}

/**
 * Handles a job that the manifest declares in `jobs`: `(job: PluginJob, hub: HubContext)`.
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
 * Handles a step of a run that the manifest declares in `runs`: `(run: PluginRun, hub: HubContext)`. Returns the state
 * for the next step, or `run.done(result)`.
 * @example
 * ```ts
 * @OnRun('import')
 * async step(run: PluginRun<{ file: string }, { offset: number }>, hub: HubContext) {
 *   const { rows, next } = await readRows(hub, run.input.file, run.state?.offset ?? 0);
 *   await hub.graph.people.upsert(rows);
 *   run.progress(run.completed + rows.length);
 *   return next === null ? run.done({ rows: run.completed + rows.length }) : { offset: next };
 * }
 * ```
 */
export function OnRun(name: string): HandlerDecorator<never> {
  return SetMetadata(metadataKeys.run, name);
}

/**
 * Handles an event that the manifest lists in `consumes`: `(event: PluginEvent, hub: HubContext)`.
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
 * Handles events that the manifest lists in `consumes` in batches of up to 100: `(events: readonly PluginEvent[],
 * hub: HubContext)`. Use it to share work between events, such as a store lookup. If a batch fails, its events are
 * delivered one by one, so that an event that always fails does not block the others.
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
 * Handles a webhook that the manifest declares in `inbound`: `(delivery: InboundDelivery, hub: HubContext)`. Runs as
 * a job after the hub verified the signature and responded 200 to the provider.
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
 * Handles a route that the manifest declares in `routes`: `(request: RouteRequest, hub: HubContext)`. Returns a
 * `RouteResponse`.
 * @example
 * ```ts
 * @OnRoute('list')
 * async list({ query }: RouteRequest, hub: HubContext): Promise<RouteResponse> { … }
 * ```
 */
export function OnRoute(name: string): HandlerDecorator<RouteRequest<never>> {
  return SetMetadata(metadataKeys.route, name);
}

/**
 * Marks the class that connects and disconnects; see `ConnectionLifecycle`. A plugin has at most one.
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
