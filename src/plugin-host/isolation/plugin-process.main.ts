import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { ToolError } from '#sdk/errors.js';
import type { PluginHandler } from '#sdk/handlers.js';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { parseStepResult } from '#sdk/run-rules.js';
import type { PluginRun } from '#sdk/runs.js';
import type { ToolContext } from '#sdk/tool.js';
import { createArgumentParser } from '#kernel/mcp/tool-schema.js';
import { captureUnhandledErrors } from '../container/current-plugin.js';
import { type PluginContainer, startPlugin } from '../container/plugin-container.js';
import { type DiscoveredPackage, type ManifestResult, readManifest } from '../host/discover-plugins.js';
import { isHubContext, toLocalHub, toLocalRun, toLocalToolContext } from './local-arguments.js';
import { describeHandlers, type HandlerKind, type PluginDescription } from './plugin-description.js';
import { ProcessChannel } from './process-channel.js';

/**
 * The process of one plugin. It has neither the environment nor the keys nor the database of the hub: it knows what the
 * hub's process sends with each call.
 */
class PluginProcessHost {
  private container: PluginContainer | undefined;

  /** What the hub's process may call, by name. */
  readonly commands = {
    readManifest: (found: DiscoveredPackage): Promise<ManifestResult> => readManifest(found, 0),
    start: async (manifest: PluginManifest, entryUrl: string): Promise<PluginDescription> => {
      this.container = await startPlugin(manifest, entryUrl, 0);
      return describeHandlers(this.container.handlers);
    },
    handle: (kind: HandlerKind | 'lifecycle', place: number | string, args: readonly unknown[]): Promise<unknown> =>
      this.handle(kind, place, args),
    ping: async (): Promise<true> => true,
    close: async (): Promise<void> => this.container?.close(),
  };

  private async handle(
    kind: HandlerKind | 'lifecycle',
    place: number | string,
    args: readonly unknown[],
  ): Promise<unknown> {
    const container = this.container!;
    const local = args.map(arg => (isHubContext(arg) ? toLocalHub(arg) : arg));
    if (kind === 'lifecycle') return container.call(this.findLifecycle(String(place)), ...local);
    const handler = container.handlers[kind][Number(place)]!;
    if (kind === 'runs') return this.runStep(handler, local);
    if (kind === 'tools') return this.callTool(Number(place), local);
    return container.call(handler, ...local);
  }

  private findLifecycle(name: string): Pick<PluginHandler, 'call'> {
    const instance = this.container!.handlers.lifecycles[0]!.instance as Record<
      string,
      (...args: unknown[]) => unknown
    >;
    return { call: (...args) => instance[name]!(...args) };
  }

  /** Returns what the step returned as plain data: the end of a run is no plain data. */
  private async runStep(handler: PluginHandler, [run, ...rest]: readonly unknown[]): Promise<unknown> {
    const step = toLocalRun(run as PluginRun);
    return parseStepResult(step.name, await this.container!.call(handler, step, ...rest));
  }

  /** Parses the arguments by the schema of the plugin: the hub's process has it as JSON Schema only. */
  private async callTool(place: number, [input, hub, call]: readonly unknown[]): Promise<unknown> {
    const tool = this.container!.handlers.tools[place]!;
    const parsed = createArgumentParser(tool.options.input)(input);
    if ('problems' in parsed) throw new ToolError(parsed.problems.map(({ message }) => message).join(' '));
    return this.container!.call(tool, parsed.value, hub, toLocalToolContext(call as ToolContext));
  }
}

function serve(): void {
  const { commands } = new PluginProcessHost();
  const run = (name: unknown, ...args: unknown[]): unknown =>
    (commands[name as keyof typeof commands] as (...args: unknown[]) => unknown)(...args);
  const channel = new ProcessChannel({ send: message => process.send!(message) }, run);
  Logger.overrideLogger(['error', 'warn']);
  captureUnhandledErrors();
  process.on('message', message => channel.receive(message));
  process.on('disconnect', () => process.exit());
  // Ctrl-C reaches every process of a terminal; the hub decides when this one ends.
  process.on('SIGINT', () => undefined);
}

serve();
