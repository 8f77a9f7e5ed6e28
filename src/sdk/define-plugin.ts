import { McpPrompt, McpResource, McpTool, OnEvent, OnEvents, OnInbound, OnJob, OnRoute, OnRun } from './decorators.js';
import type { InboundDelivery, PluginJob, RouteRequest, RouteResponse } from './deliveries.js';
import type { HubContext, JobOptions } from './hub-context.js';
import type {
  ConsumedEvent,
  ConsumedNames,
  CredentialsOf,
  EmittedPayloadOf,
  JobDataOf,
  NamesIn,
  ResponseBodyOf,
  RouteBodyOf,
  RouteQueryOf,
  RunInputOf,
  SettingsOf,
  SuccessStatusOf,
} from './manifest/infer-manifest.js';
import type { PluginManifest } from './manifest/manifest.js';
import type { McpPromptOptions } from './prompt.js';
import type { McpResourceOptions, ResourceRequest } from './resource.js';
import type { PluginRun, RunDone, RunInfo, RunOptions, RunsPort } from './runs.js';
import type { Json, ToolInput, ToolSchema } from './schema.js';
import type { McpToolOptions, ToolContext } from './tool.js';

/**
 * The hub as one plugin sees it: credentials, settings, jobs, events and runs have the types of its manifest.
 * @example export type Hub = HubOf<typeof plugin>;
 */
export interface PluginHub<M extends PluginManifest> extends Omit<
  HubContext<CredentialsOf<M>, SettingsOf<M>>,
  'jobs' | 'events' | 'runs'
> {
  /** The plugin's own background jobs. */
  readonly jobs: {
    /** Queues a job of the manifest for this connection. */
    emit<Name extends NamesIn<M, 'jobs'>>(name: Name, data: JobDataOf<M, Name>, options?: JobOptions): Promise<void>;
  };
  /** The plugin's own events. */
  readonly events: {
    /** Publishes an event that the manifest lists in `emits`. */
    emit<Type extends NamesIn<M, 'emits'>>(type: Type, payload: EmittedPayloadOf<M, Type>): Promise<void>;
  };
  /** Long work of the plugin in steps. */
  readonly runs: Omit<RunsPort, 'start'> & {
    /** Starts a run that the manifest declares, for this connection. */
    start<Name extends NamesIn<M, 'runs'>>(
      name: Name,
      input: RunInputOf<M, Name>,
      options?: RunOptions,
    ): Promise<RunInfo>;
  };
}

/**
 * A request to a route, with the types of the manifest.
 * @template Undeclared what a body without a schema is
 * @example async create({ body }: RequestOf<typeof plugin, 'create'>, hub: Hub)
 */
export interface TypedRouteRequest<M extends PluginManifest, Name, Undeclared = Json> extends Omit<
  RouteRequest,
  'query' | 'body'
> {
  /** The JSON body. Undefined only if the route declares no schema and the request has none. */
  readonly body: RouteBodyOf<M, Name, Undeclared | undefined>;
  /** If a parameter occurs more than once, its last value. */
  readonly query: RouteQueryOf<M, Name>;
}

/** Statuses of failures. */
type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 405 | 409 | 410 | 412 | 413 | 415 | 422 | 423 | 429 | 500 | 502 | 503;

/**
 * The response of a failure, whose body has a shape of its own.
 * @example return { status: 404, body: { error: 'call_not_found' } };
 */
export type FailureResponse = Omit<RouteResponse, 'status'> & { readonly status: ErrorStatus };

/** The response of a route: of a success with the body of the manifest, of a failure with any JSON. */
type TypedRouteResponse<M extends PluginManifest, Name> =
  | (Omit<RouteResponse, 'body' | 'status'> & {
      readonly status?: SuccessStatusOf<M, Name>;
      readonly body?: ResponseBodyOf<M, Name>;
    })
  | FailureResponse;

/** A state that is declared as an interface: an object, and no promise. */
type StepState = object & { readonly then?: never };

/** A decorator that checks the parameters and the result of its method. */
type TypedDecorator<First, Hub, Result> = <
  Method extends (first: First, hub: Hub, call: ToolContext) => Result | Promise<Result>,
>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

/**
 * The decorators of one plugin. They accept only what its manifest declares, and check the parameters and the result of
 * each method. What `OnJob` and the others do is described with the decorators of these names.
 * @example
 * ```ts
 * @plugin.OnJob('backfill')
 * async backfill({ data }: JobOf<typeof plugin, 'backfill'>, hub: Hub): Promise<void> { … }
 * ```
 */
export interface DefinedPlugin<M extends PluginManifest> {
  readonly manifest: M;
  OnJob<Name extends NamesIn<M, 'jobs'>>(
    name: Name,
  ): TypedDecorator<PluginJob<JobDataOf<M, Name, never>>, PluginHub<M>, void>;
  OnRun<Name extends NamesIn<M, 'runs'>>(
    name: Name,
  ): TypedDecorator<PluginRun<RunInputOf<M, Name, never>, never>, PluginHub<M>, Json | StepState | RunDone>;
  OnEvent<Name extends ConsumedNames<M>>(type: Name): TypedDecorator<ConsumedEvent<Name>, PluginHub<M>, void>;
  OnEvents<Name extends ConsumedNames<M>>(
    ...types: readonly [Name, ...Name[]]
  ): TypedDecorator<readonly ConsumedEvent<Name>[], PluginHub<M>, void>;
  OnInbound<Name extends NamesIn<M, 'inbound'>>(name: Name): TypedDecorator<InboundDelivery, PluginHub<M>, void>;
  OnRoute<Name extends NamesIn<M, 'routes'>>(
    name: Name,
  ): TypedDecorator<TypedRouteRequest<M, Name, never>, PluginHub<M>, TypedRouteResponse<M, Name>>;
  McpTool<S extends ToolSchema>(
    options: McpToolOptions<S> & { readonly name: NamesIn<M, 'tools'> },
  ): TypedDecorator<ToolInput<S>, PluginHub<M>, unknown>;
  McpResource(
    options: McpResourceOptions & { readonly uri: NamesIn<M, 'resources'> },
  ): TypedDecorator<ResourceRequest, PluginHub<M>, unknown>;
  McpPrompt(
    options: McpPromptOptions & { readonly name: NamesIn<M, 'prompts'> },
  ): TypedDecorator<Record<string, string>, PluginHub<M>, unknown>;
}

/**
 * Gives the decorators of a plugin the types of its manifest, so that a job, event, payload or result that does not fit
 * does not compile. Use it in a module of its own, which the handlers import.
 * @param options `manifest`: the default export of the entry `./manifest`, a literal with `as const`
 * @example
 * ```ts
 * import manifest from './manifest.js';
 *
 * export const plugin = definePlugin({ manifest });
 * export type Hub = HubOf<typeof plugin>;
 * ```
 */
export function definePlugin<const M extends PluginManifest>({ manifest }: { readonly manifest: M }): DefinedPlugin<M> {
  const decorators = { OnJob, OnRun, OnEvent, OnEvents, OnInbound, OnRoute, McpTool, McpResource, McpPrompt };
  return { manifest, ...decorators } as unknown as DefinedPlugin<M>;
}

/** Manifest of a defined plugin. */
type ManifestOf<P> = P extends DefinedPlugin<infer M> ? M : never;

/**
 * The hub of a defined plugin, for the second parameter of its handlers.
 * @example export type Hub = HubOf<typeof plugin>;
 */
export type HubOf<P> = PluginHub<ManifestOf<P>>;

/**
 * A job of a defined plugin, for the first parameter of its handler.
 * @example async backfill({ data }: JobOf<typeof plugin, 'backfill'>, hub: Hub)
 */
export type JobOf<P, Name extends NamesIn<ManifestOf<P>, 'jobs'>> = PluginJob<JobDataOf<ManifestOf<P>, Name>>;

/**
 * A run of a defined plugin, for the first parameter of its handler.
 * @example async step(run: RunOf<typeof plugin, 'import', { offset: number }>, hub: Hub)
 */
export type RunOf<P, Name extends NamesIn<ManifestOf<P>, 'runs'>, State = Json> = PluginRun<
  RunInputOf<ManifestOf<P>, Name>,
  State
>;

/**
 * A request to a route of a defined plugin, for the first parameter of its handler.
 * @example async create({ body }: RequestOf<typeof plugin, 'create'>, hub: Hub)
 */
export type RequestOf<P, Name extends NamesIn<ManifestOf<P>, 'routes'>> = TypedRouteRequest<ManifestOf<P>, Name>;

/**
 * The response of a route of a defined plugin.
 * @example async create(request: RequestOf<typeof plugin, 'create'>): Promise<ResponseOf<typeof plugin, 'create'>>
 */
export type ResponseOf<P, Name extends NamesIn<ManifestOf<P>, 'routes'>> = TypedRouteResponse<ManifestOf<P>, Name>;
