import { createHash } from 'node:crypto';
import { needsConnection } from '../manifest/needs-connection.js';
import type { ToolContext, ToolPlan } from '../tool.js';
import type { PluginHandler, PluginHandlers } from '../handlers.js';
import type { Json, JsonObject } from '../schema.js';
import type {
  CheckResult,
  ConnectionInfo,
  ConnectionLifecycle,
  ConnectionOption,
  MigratedValues,
  StoredValues,
  TestResult,
} from '../lifecycle.js';
import type { PluginManifest } from '../manifest/manifest.js';
import type { PromptMessage } from '../prompt.js';
import { withStepIds } from '../run-rules.js';
import type { PluginRun, RunInfo } from '../runs.js';
import type { ResourceResult } from '../resource.js';
import { openTestPlugin, type OpenedPlugin, type PluginModule } from './plugin-container.js';
import { getPrompt, readResource, callTool, type TestCallContext, visibleTools } from './call-tool.js';
import { callRoute, type RouteCallOptions, type TestRouteResponse } from './call-route.js';
import { type WebhookResponse, type WebhookCallOptions, deliverWebhook } from './call-webhook.js';
import { isPlanIncluded } from './plan.js';
import { createConnection, forbiddenProxy } from './test-connection.js';
import { TestEnvironment, type TestHubOptions, parseStored } from './test-environment.js';

/**
 * Starts a plugin as the hub does, in memory: without database and network, and with a clock that the test controls.
 * Every webhook, event and job is delivered twice, and the second delivery must not change anything.
 * @throws Error if the plugin cannot start, or if credentials or settings do not match the manifest
 * @example
 * ```ts
 * const hub = await testHub(AcmeDialerPlugin, manifest, { plan: 'starter' });
 * hub.http.expect('GET', '/v1/calls/c-1').reply(200, { id: 'c-1', with: 'ada@acme.io' });
 * await hub.inbound('calls', { event: 'call.ended', call_id: 'c-1' });
 * expect(hub.timeline('ada@acme.io')).toMatchObject([{ property: 'interaction.call_held' }]);
 * await hub.close();
 * ```
 */
export async function testHub(
  plugin: PluginModule,
  manifest: PluginManifest,
  options: TestHubOptions = {},
): Promise<TestHub> {
  const environment = new TestEnvironment(manifest, options);
  return new TestHub(manifest, environment, await openTestPlugin(plugin), options.plan ?? 'scale');
}

/**
 * A hub with one plugin and one connection, created by `testHub`. Errors of handlers reach the test unchanged; there are
 * no retries.
 * @example await expect(hub.job('backfill', { email: 'x' })).rejects.toThrow(PermanentError);
 */
export class TestHub {
  /** Plan of the workspace; can be changed during a test. */
  plan: ToolPlan;
  /** Handlers of the plugin. */
  readonly handlers: PluginHandlers;
  readonly clock: TestEnvironment['clock'];
  /** The fake provider. */
  readonly http: TestEnvironment['http'];
  readonly store: TestEnvironment['store'];
  /** Files of the plugin, in memory. */
  readonly files: TestEnvironment['files'];
  readonly graph: TestEnvironment['graph'];
  /** The job queue. */
  readonly jobs: TestEnvironment['jobs'];
  /** Runs of the plugin. */
  readonly runs: TestEnvironment['runs'];
  /** Events published by the plugin. */
  readonly events: TestEnvironment['events'];
  /** Log lines of the plugin. */
  readonly logs: TestEnvironment['logs'];
  /** Access token of a connection by OAuth 2.0; undefined with pasted credentials. */
  readonly accessToken: string | undefined;
  /** The connection passed to lifecycle methods. */
  readonly connection: ConnectionInfo;

  constructor(
    private readonly manifest: PluginManifest,
    private readonly environment: TestEnvironment,
    private readonly openedPlugin: OpenedPlugin,
    plan: ToolPlan,
  ) {
    this.plan = plan;
    this.handlers = openedPlugin.handlers;
    ({ clock: this.clock, http: this.http, store: this.store, graph: this.graph } = environment);
    ({ files: this.files, runs: this.runs, accessToken: this.accessToken } = environment);
    ({ jobs: this.jobs, events: this.events, logs: this.logs } = environment);
    this.connection = createConnection(manifest);
    this.clock.onAdvance(() => this.runDue());
  }

  /** Whether the workspace is connected to the provider; can be changed during a test. Default: true. */
  get connected(): boolean {
    return !this.environment.isDisconnected;
  }

  set connected(connected: boolean) {
    const isNeeded = needsConnection(this.manifest, this.handlers.lifecycles.length > 0);
    this.environment.isDisconnected = isNeeded && !connected;
  }

  /** Delivers a webhook, signed as the manifest declares. Text and bytes are sent unchanged, other values as JSON. */
  async inbound(name: string, payload: Json | Uint8Array, options: WebhookCallOptions = {}): Promise<WebhookResponse> {
    if (!this.receives()) return { status: 404, delivered: false };
    const handler = findHandler(this.handlers.inbound, name, 'webhook');
    const secrets = { ...this.environment.credentials, generated: this.connection.inbound[name]?.secret };
    const { response, delivery } = deliverWebhook(this.manifest, name, secrets, this.clock.now(), payload, options);
    if (delivery) await this.deliver(`The webhook "${name}"`, handler, delivery);
    return response;
  }

  /** Delivers an event of the hub or of another plugin. Returns false if the plan does not include the plugin or a connection is missing. */
  async event(type: string, payload: JsonObject): Promise<boolean> {
    const handler = findHandler(this.handlers.events, type, 'event');
    if (!this.receives()) return false;
    const id = `event-${createHash('sha256')
      .update(`${type}${JSON.stringify(payload)}`)
      .digest('hex')
      .slice(0, 12)}`;
    const event = { id, type, payload, occurredAt: this.clock.now() };
    await this.deliver(`The event "${type}"`, handler, handler.batched ? [event] : event);
    return true;
  }

  /** Runs a job immediately. Returns false if the plan does not include the plugin or a connection is missing. `attempt` starts at 1. */
  async job(name: string, data: Json = null, attempt = 1): Promise<boolean> {
    const handler = findHandler(this.handlers.jobs, name, 'job');
    if (!this.receives()) return false;
    await this.deliver(`The job "${name}"`, handler, { id: `job-${name}`, name, data, attempt });
    return true;
  }

  /** Runs the due jobs and the waiting runs, and those that they start, until none is left. */
  async drain(): Promise<void> {
    do {
      for (let job = this.jobs.takeDue(); job; job = this.jobs.takeDue()) await this.job(job.name, job.data);
      await this.runs.execute((name, step, start) => this.executeStep(name, step, start));
    } while (this.jobs.hasDue());
  }

  /**
   * Starts a run and executes it to its end, each step twice: the second time must change nothing and return the same.
   * @throws the error of a step
   */
  async run(name: string, input: Json = null): Promise<RunInfo> {
    const { id } = await this.runs.start(name, input);
    await this.drain();
    return (await this.runs.get(id))!;
  }

  /**
   * Calls a tool and returns its result. A tool that the manifest declares idempotent is called twice.
   * @throws PlanRequiredError, InvalidArgumentsError, NotConnectedError, or the error of the tool
   */
  call(name: string, args: JsonObject = {}, call: Partial<ToolContext> = {}): Promise<unknown> {
    return callTool(this.callContext(), this.handlers.tools, name, args, call);
  }

  /** Returns the names of the tools that the plan includes, sorted. `internal` adds internal tools. */
  tools(internal = false): string[] {
    return this.connected ? visibleTools(this.manifest, this.plan, internal) : [];
  }

  /**
   * Reads a resource by its URI, twice. Returns undefined if no resource matches.
   * @throws PlanRequiredError, or the error of the resource
   */
  resource(uri: string): Promise<Exclude<ResourceResult, string>> {
    return readResource(this.callContext(), this.handlers.resources, uri);
  }

  /**
   * Renders the messages of a prompt, twice.
   * @throws PlanRequiredError, InvalidArgumentsError, or the error of the prompt
   */
  prompt(name: string, args: Readonly<Record<string, string>> = {}): Promise<readonly PromptMessage[]> {
    return getPrompt(this.callContext(), this.handlers.prompts, name, args);
  }

  /** Calls a route by its name in the manifest. */
  route(name: string, call: RouteCallOptions = {}): Promise<TestRouteResponse> {
    return callRoute(this.callContext(), this.handlers.routes, name, call);
  }

  /** Runs the plugin's `test`, for which no connection exists yet. */
  async test(): Promise<TestResult> {
    const lifecycle = this.lifecycle();
    return this.environment.runOnce(() => lifecycle.test(this.contextWithoutConnection('test')));
  }

  /** Runs the plugin's `options` for a setting; also before a connection exists. */
  async options(field: string, query = ''): Promise<readonly ConnectionOption[]> {
    const lifecycle = this.lifecycle();
    if (!lifecycle.options) throw new Error('The plugin has no options.');
    const context = this.contextWithoutConnection('options');
    return this.environment.runOnce(() => lifecycle.options!(context, { field, query }));
  }

  /**
   * Runs the plugin's `migrate` with values of an older version, and returns what a connection then has.
   * @throws Error if the values do not fit the manifest: in the hub, users would have to connect again
   */
  async migrate(stored: StoredValues): Promise<MigratedValues> {
    const { migrate = (values: StoredValues): MigratedValues => values } = this.lifecycle();
    const { credentials, settings } = await migrate.call(this.lifecycle(), stored);
    const { manifest } = this;
    return {
      credentials: parseStored('credentials', manifest.credentials, credentials),
      settings: parseStored('settings', manifest.settings, settings),
    };
  }

  /** Runs the plugin's `connect`. */
  async connect(): Promise<void> {
    await this.environment.runOnce(() => this.lifecycle().connect(this.environment.context(), this.connection));
  }

  /** Runs the plugin's `disconnect`. */
  async disconnect(): Promise<void> {
    await this.environment.runOnce(() => this.lifecycle().disconnect(this.environment.context(), this.connection));
  }

  /** Runs the plugin's `check`. */
  async check(): Promise<CheckResult> {
    const lifecycle = this.lifecycle();
    if (!lifecycle.check) throw new Error('The plugin has no check.');
    return this.environment.runOnce(() => lifecycle.check!(this.environment.context(), this.connection));
  }

  /** Returns the observations of an entity, newest first. */
  timeline(focus: string): ReturnType<TestEnvironment['graph']['timeline']> {
    return this.graph.timeline(focus);
  }

  /** Closes the plugin's container. @throws Error if an expected request was not sent */
  async close(): Promise<void> {
    await this.openedPlugin.close();
    this.http.assertDone();
  }

  private receives(): boolean {
    return this.connected && isPlanIncluded(this.plan, this.manifest.minPlan);
  }

  private callContext(): TestCallContext {
    return { manifest: this.manifest, environment: this.environment, plan: this.plan };
  }

  private contextWithoutConnection(method: string): ReturnType<TestEnvironment['context']> {
    const refuse = (): never => {
      throw new Error(`There is no connection yet: ${method} must not write.`);
    };
    const context = {
      ...this.environment.context(),
      store: forbiddenProxy(refuse),
      files: forbiddenProxy(refuse),
      graph: forbiddenProxy(refuse),
      jobs: forbiddenProxy(refuse),
      runs: forbiddenProxy(refuse),
    };
    return context as ReturnType<TestEnvironment['context']>;
  }

  private lifecycle(): ConnectionLifecycle {
    const [lifecycle] = this.handlers.lifecycles;
    if (!lifecycle) throw new Error('No provider of the plugin has @Lifecycle().');
    return lifecycle.instance as ConnectionLifecycle;
  }

  private async deliver(what: string, handler: PluginHandler, delivery: unknown): Promise<void> {
    await this.environment.runTwice(what, () => handler.call(delivery, this.environment.context()));
  }

  private async executeStep(name: string, step: number, start: () => PluginRun): Promise<readonly unknown[]> {
    const handler = findHandler(this.handlers.runs, name, 'run');
    const returned: unknown[] = [];
    await this.environment.runTwice(`Step ${step} of the run "${name}"`, async () => {
      const run = start();
      const context = this.environment.context(run.signal);
      const hub = Object.freeze({ ...context, graph: withStepIds(this.environment.graph, run.id, step) });
      returned.push(await handler.call(run, hub));
    });
    return returned;
  }

  private async runDue(): Promise<void> {
    for (const name of this.jobs.takePeriodic()) await this.job(name);
    await this.drain();
  }
}

function findHandler<Handler extends PluginHandler>(handlers: readonly Handler[], name: string, kind: string): Handler {
  const handler = handlers.find(handler => handler.name === name);
  if (handler) return handler;
  const known = handlers.map(handler => `"${handler.name}"`).join(', ') || 'none at all';
  throw new Error(`The plugin takes no ${kind} "${name}"; it takes ${known}.`);
}
