import { createHash } from 'node:crypto';
import type { ToolContext } from '../context.js';
import type { PluginHandler, PluginHandlers } from '../handlers.js';
import type { Json, JsonObject } from '../json.js';
import type { CheckResult, ConnectionInfo, ConnectionLifecycle, TestResult } from '../lifecycle.js';
import type { PluginManifest } from '../manifest.js';
import type { PromptMessage } from '../prompt.js';
import type { ResourceAnswer } from '../resource.js';
import type { ToolPlan } from '../tool.js';
import { openPlugin, type OpenPlugin, type PluginModule } from './container.js';
import { getPrompt, readResource } from './door.offers.js';
import { callTool, type Doorway, visibleTools } from './door.tools.js';
import { callRoute, type RouteCall, type TestRouteAnswer } from './door.routes.js';
import { type InboundAnswer, type InboundOptions, receive } from './door.inbound.js';
import { includes } from './plan.js';
import { Stage, type TestHubOptions } from './stage.js';

const PUBLIC_URL = 'https://hub.example';

/**
 * Opens a plugin as the hub does, with everything around it in memory: no database, no network, and a clock that
 * stands still. Every webhook, event and job is delivered twice on purpose, and the second delivery must leave
 * nothing more behind.
 * @throws Error when the plugin cannot be opened, or when credentials or settings do not fit the manifest
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
  const stage = new Stage(manifest, options);
  return new TestHub(manifest, stage, await openPlugin(plugin), options.plan ?? 'scale');
}

/**
 * A hub with one plugin and one connection in it; made by `testHub`. What a handler throws reaches the test as it is:
 * nothing is tried again.
 * @example await expect(hub.job('backfill', { email: 'x' })).rejects.toThrow(PermanentError);
 */
export class TestHub {
  /** Plan of the workspace; set it to see what a change of plan does. */
  plan: ToolPlan;
  /** What the plugin's code handles. */
  readonly handlers: PluginHandlers;
  readonly clock: Stage['clock'];
  /** The provider. */
  readonly http: Stage['http'];
  readonly store: Stage['store'];
  readonly graph: Stage['graph'];
  /** Jobs that wait. */
  readonly jobs: Stage['jobs'];
  /** What the plugin has published. */
  readonly events: Stage['events'];
  /** What the plugin has logged. */
  readonly logs: Stage['logs'];
  /** The connection, as lifecycle methods see it. */
  readonly connection: ConnectionInfo;

  constructor(
    private readonly manifest: PluginManifest,
    private readonly stage: Stage,
    private readonly opened: OpenPlugin,
    plan: ToolPlan,
  ) {
    this.plan = plan;
    this.handlers = opened.handlers;
    ({ clock: this.clock, http: this.http, store: this.store, graph: this.graph } = stage);
    ({ jobs: this.jobs, events: this.events, logs: this.logs } = stage);
    this.connection = connectionOf(manifest);
    this.clock.onAdvance(() => this.runDue());
  }

  /** A webhook of the provider, signed as the manifest declares. Text or bytes are sent as they are, else JSON. */
  async inbound(name: string, payload: Json | Uint8Array, options: InboundOptions = {}): Promise<InboundAnswer> {
    if (!includes(this.plan, this.manifest.minPlan)) return { status: 404, delivered: false };
    const handler = handlerOf(this.handlers.inbound, name, 'webhook');
    const secrets = { ...this.stage.credentials, generated: this.connection.inbound[name]?.secret };
    const { answer, delivery } = receive(this.manifest, name, secrets, this.clock.now(), payload, options);
    if (delivery) await this.deliver(`The webhook "${name}"`, handler, delivery);
    return answer;
  }

  /** An event of the hub or of another plugin; false when the plan leaves the plugin out. */
  async event(type: string, payload: JsonObject): Promise<boolean> {
    const handler = handlerOf(this.handlers.events, type, 'event');
    if (!includes(this.plan, this.manifest.minPlan)) return false;
    const id = `event-${createHash('sha256')
      .update(`${type}${JSON.stringify(payload)}`)
      .digest('hex')
      .slice(0, 12)}`;
    const event = { id, type, payload, occurredAt: this.clock.now() };
    await this.deliver(`The event "${type}"`, handler, handler.gathers ? [event] : event);
    return true;
  }

  /** A job, at once; false when the plan leaves the plugin out. `attempt` counts from 1. */
  async job(name: string, data: Json = null, attempt = 1): Promise<boolean> {
    const handler = handlerOf(this.handlers.jobs, name, 'job');
    if (!includes(this.plan, this.manifest.minPlan)) return false;
    await this.deliver(`The job "${name}"`, handler, { id: `job-${name}`, name, data, attempt });
    return true;
  }

  /** Runs the jobs whose time has come, and those that they put in, until none is left. */
  async drain(): Promise<void> {
    for (let job = this.jobs.takeDue(); job; job = this.jobs.takeDue()) await this.job(job.name, job.data);
  }

  /**
   * Calls a tool and gives what it returns. One that the manifest calls idempotent is called twice.
   * @throws PlanRequired, ArgumentsRefused, or what the tool throws
   */
  call(name: string, args: JsonObject = {}, call: Partial<ToolContext> = {}): Promise<unknown> {
    return callTool(this.doorway(), this.handlers.tools, name, args, call);
  }

  /** Names of the tools that an agent of this plan sees, sorted; the internal ones with `internal`. */
  tools(internal = false): string[] {
    return visibleTools(this.manifest, this.plan, internal);
  }

  /**
   * Reads a resource by its address, twice; undefined when nothing has it.
   * @throws PlanRequired, or what the resource throws
   */
  resource(uri: string): Promise<Exclude<ResourceAnswer, string>> {
    return readResource(this.doorway(), this.handlers.resources, uri);
  }

  /**
   * Makes the messages of a prompt, twice.
   * @throws PlanRequired, ArgumentsRefused, or what the prompt throws
   */
  prompt(name: string, args: Readonly<Record<string, string>> = {}): Promise<readonly PromptMessage[]> {
    return getPrompt(this.doorway(), this.handlers.prompts, name, args);
  }

  /** Calls a route by its name in the manifest. */
  route(name: string, call: RouteCall = {}): Promise<TestRouteAnswer> {
    return callRoute(this.doorway(), this.handlers.routes, name, call);
  }

  /** The plugin's `test`, before there is a connection. */
  async test(): Promise<TestResult> {
    const { lifecycle, stage } = { lifecycle: this.lifecycle(), stage: this.stage };
    const refuse = (): never => {
      throw new Error('There is no connection yet: test must not write.');
    };
    const context = { ...stage.context(), store: refusing(refuse), graph: refusing(refuse), jobs: refusing(refuse) };
    return stage.once(() => lifecycle.test(context as ReturnType<Stage['context']>));
  }

  /** The plugin's `connect`. */
  async connect(): Promise<void> {
    await this.stage.once(() => this.lifecycle().connect(this.stage.context(), this.connection));
  }

  /** The plugin's `disconnect`. */
  async disconnect(): Promise<void> {
    await this.stage.once(() => this.lifecycle().disconnect(this.stage.context(), this.connection));
  }

  /** The plugin's `check`. */
  async check(): Promise<CheckResult> {
    const lifecycle = this.lifecycle();
    if (!lifecycle.check) throw new Error('The plugin has no check.');
    return this.stage.once(() => lifecycle.check!(this.stage.context(), this.connection));
  }

  /** What is known of somebody, newest first. */
  timeline(focus: string): ReturnType<Stage['graph']['timeline']> {
    return this.graph.timeline(focus);
  }

  /** Closes the plugin's container. @throws Error when an expected request was never sent */
  async close(): Promise<void> {
    await this.opened.close();
    this.http.assertDone();
  }

  private doorway(): Doorway {
    return { manifest: this.manifest, stage: this.stage, plan: this.plan };
  }

  private lifecycle(): ConnectionLifecycle {
    const [lifecycle] = this.handlers.lifecycles;
    if (!lifecycle) throw new Error('No provider of the plugin has @Lifecycle().');
    return lifecycle.instance as ConnectionLifecycle;
  }

  private async deliver(what: string, handler: PluginHandler, delivery: unknown): Promise<void> {
    await this.stage.twice(what, () => handler.call(delivery, this.stage.context()));
  }

  private async runDue(): Promise<void> {
    for (const name of this.jobs.takePeriodic()) await this.job(name);
    await this.drain();
  }
}

function handlerOf<Handler extends PluginHandler>(handlers: readonly Handler[], name: string, kind: string): Handler {
  const handler = handlers.find(one => one.name === name);
  if (handler) return handler;
  const known = handlers.map(one => `"${one.name}"`).join(', ') || 'none at all';
  throw new Error(`The plugin takes no ${kind} "${name}"; it takes ${known}.`);
}

function connectionOf({ inbound = {} }: PluginManifest): ConnectionInfo {
  const id = 'test-connection';
  const secretOf = (name: string) => `whsec_${createHash('sha256').update(name).digest('base64')}`;
  const addresses = Object.entries(inbound).map(([name, { signature }]) => {
    const secret = signature?.secretFrom === 'generated' ? secretOf(name) : undefined;
    return [name, { url: `${PUBLIC_URL}/hooks/${id}/${name}`, secret }] as const;
  });
  return Object.freeze({ id, name: 'Test', inbound: Object.fromEntries(addresses) });
}

function refusing(refuse: () => never): object {
  return new Proxy({}, { get: () => refuse });
}
