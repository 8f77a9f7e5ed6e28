import { type Abstract, type DynamicModule, type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { compareManifest } from '#sdk/manifest/compare-manifest.js';
import { collectHandlers, type PluginHandler, type PluginHandlers } from '#sdk/handlers.js';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { redactError } from '#kernel/egress/egress-errors.js';
import { errorMessage } from '#kernel/telemetry/throttled-logger.js';
import { settlesWithin, TimeoutError, withTimeout } from '#kernel/scheduling/timeout.js';
import { importGeneration } from '../host/module-generations.js';
import { findRedactor, runAsPlugin } from './current-plugin.js';

/** How long a closing container waits for its running handlers, in milliseconds. */
const DRAIN_TIMEOUT_MS = 10_000;
const START_TIMEOUT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 2_000;

/** The module of a plugin could not be started; the message says why. */
export class PluginStartError extends Error {}

/** The code of a plugin that runs in another process. */
export interface RemotePlugin {
  readonly handlers: PluginHandlers;
  /** Ends the process. Never rejects. */
  close(): Promise<void>;
}

/** Root of a plugin's container: imports the module of the plugin and those of the hub. */
@Module({})
class PluginRootModule {}

/**
 * Runs a plugin in a Nest container of its own, where nothing of the hub can be injected: the parts of the hub that it
 * may use are arguments of its handlers. One container serves all workspaces.
 */
export class PluginContainer {
  private readonly inFlight = new Set<Promise<unknown>>();
  private closing: Promise<void> | undefined;

  private constructor(
    readonly id: string,
    private readonly context: INestApplicationContext,
    readonly handlers: PluginHandlers,
    private readonly remote: RemotePlugin | undefined,
  ) {}

  /**
   * Starts the Nest module that a package exports as default.
   * @param hubModules modules of the hub beside it; what they provide is not visible to the plugin's module
   * @param remote the code of the plugin, if the exported module only stands for it
   * @throws PluginStartError
   */
  static async start(
    id: string,
    exported: Record<string, unknown>,
    hubModules: readonly DynamicModule[] = [],
    remote?: RemotePlugin,
  ): Promise<PluginContainer> {
    const module = exported['default'];
    if (typeof module !== 'function' || !isModule(module)) {
      throw new PluginStartError(
        'The default export of its module is not a Nest module: export a class decorated with @Module().',
      );
    }
    try {
      // Nest's logger is static. A `logger` option here, such as false, would apply to the whole process.
      const root = { module: PluginRootModule, imports: [module as Type, ...hubModules] };
      const create = () => NestFactory.createApplicationContext(root, { abortOnError: false });
      const container = await runAsPlugin(id, create);
      const handlers = remote?.handlers ?? collectHandlers(listInstances(container));
      return new PluginContainer(id, container, handlers, remote);
    } catch (error) {
      throw new PluginStartError(`It fails at its start: ${errorMessage(error)}`, { cause: error });
    }
  }

  /** Returns a provider of the hub's modules in this container. */
  resolve<T>(token: Type<T> | Abstract<T>): T {
    return this.context.get(token, { strict: false });
  }

  /**
   * Calls a handler as the plugin. Errors of the handler are redacted: the secrets of the hub context among the
   * arguments are removed, so callers can log, store or return them.
   * @throws PluginStartError when the container is closing
   */
  async call(handler: Pick<PluginHandler, 'call'>, ...args: readonly unknown[]): Promise<unknown> {
    if (this.closing) throw new PluginStartError(`The plugin "${this.id}" is being closed.`);
    const redact = findRedactor(args);
    const work = runAsPlugin(this.id, async () => handler.call(...args), redact).catch((error: unknown) => {
      throw redactError(redact, error);
    });
    const tracked = work.then(
      () => undefined,
      () => undefined,
    );
    this.inFlight.add(tracked);
    void tracked.then(() => this.inFlight.delete(tracked));
    return work;
  }

  /** Waits up to 10 s for running handlers, then closes the container. Idempotent; never rejects. */
  close(): Promise<void> {
    return (this.closing ??= this.shutDown());
  }

  private async shutDown(): Promise<void> {
    await settlesWithin(DRAIN_TIMEOUT_MS, Promise.all(this.inFlight));
    await settlesWithin(
      CLOSE_TIMEOUT_MS,
      runAsPlugin(this.id, () => this.context.close()),
    );
    await this.remote?.close();
  }
}

/**
 * Imports the module of a plugin, starts its container and compares its handlers with the manifest. Closes the
 * container on failure. Importing and starting may take 5 s.
 * @param hubModules see {@link PluginContainer.start}
 * @param generation above 0 imports the module again, see {@link importGeneration}
 * @throws PluginStartError with a sentence that says what to fix; TimeoutError
 */
export async function startPlugin(
  manifest: PluginManifest,
  entry: string,
  generation: number,
  hubModules: readonly DynamicModule[] = [],
): Promise<PluginContainer> {
  const starting = importAndStart(manifest.id, entry, generation, hubModules);
  const container = await withTimeout(START_TIMEOUT_MS, starting, 'its start').catch((error: unknown) => {
    if (error instanceof TimeoutError) void starting.then(late => late.close()).catch(() => undefined);
    throw error;
  });
  const problems = compareManifest(manifest, container.handlers);
  if (problems.length === 0) return container;
  await container.close();
  throw new PluginStartError(problems.join(' '));
}

async function importAndStart(
  id: string,
  entry: string,
  generation: number,
  hubModules: readonly DynamicModule[],
): Promise<PluginContainer> {
  const exported = await runAsPlugin(id, () => importGeneration(entry, generation));
  return PluginContainer.start(id, exported, hubModules);
}

/** Looks for the metadata keys of `@Module()`: they are strings, so they also match another copy of Nest. */
function isModule(target: object): boolean {
  return ['imports', 'providers', 'controllers', 'exports'].some(key => Reflect.hasMetadata(key, target));
}

function listInstances(container: INestApplicationContext): unknown[] {
  const modules = [...container.get(ModulesContainer, { strict: false }).values()];
  const wrappers = modules.flatMap(({ providers, controllers }) => [...providers.values(), ...controllers.values()]);
  return wrappers.map(({ instance }) => instance as unknown);
}
