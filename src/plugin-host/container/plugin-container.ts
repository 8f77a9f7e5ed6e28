import { type INestApplicationContext, type Type } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { collectHandlers, type PluginHandler, type PluginHandlers } from '#sdk/handlers.js';
import { redactError } from '#kernel/egress/redact-error.js';
import { errorMessage } from '#kernel/telemetry/throttled-logger.js';
import { settlesWithin } from '#kernel/scheduling/timeout.js';
import { runAsPlugin } from './current-plugin.js';
import { findRedactor } from './hub-secrets.js';

/** How long a cell that closes waits for the handlers at hand, in milliseconds. */
const DRAIN_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;

/** The module of a plugin could not be opened; the message says why. */
export class PluginStartError extends Error {}

/**
 * A plugin in a Nest container of its own, where nothing of the hub can be injected: what it may use of the hub comes
 * as an argument of its handlers. One cell serves all workspaces.
 */
export class PluginContainer {
  private readonly inFlight = new Set<Promise<unknown>>();
  private closing: Promise<void> | undefined;

  private constructor(
    readonly id: string,
    private readonly context: INestApplicationContext,
    readonly handlers: PluginHandlers,
  ) {}

  /** Opens the Nest module that a package exports. @throws CellFailure */
  static async start(id: string, exported: Record<string, unknown>): Promise<PluginContainer> {
    const module = exported['default'];
    if (typeof module !== 'function' || !isModule(module)) {
      throw new PluginStartError('The default export of its module is no Nest module: export a class with @Module().');
    }
    try {
      // The logger is the whole process's, so none may be named here: false would silence everybody.
      const create = () => NestFactory.createApplicationContext(module as Type, { abortOnError: false });
      const container = await runAsPlugin(id, create);
      return new PluginContainer(id, container, collectHandlers(listInstances(container)));
    } catch (error) {
      throw new PluginStartError(`It fails at its start: ${errorMessage(error)}`, { cause: error });
    }
  }

  /**
   * Calls a handler as the plugin. Rejects with what it throws, without the secrets of the hub among the arguments, so
   * that whoever logs, keeps or answers it need not think of them; and when the cell is closing.
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

  /** Waits for the handlers at hand, 10 s at most, and closes the container. Safe to call twice; never rejects. */
  close(): Promise<void> {
    return (this.closing ??= this.shutDown());
  }

  private async shutDown(): Promise<void> {
    await settlesWithin(DRAIN_TIMEOUT_MS, Promise.all(this.inFlight));
    await settlesWithin(
      CLOSE_TIMEOUT_MS,
      runAsPlugin(this.id, () => this.context.close()),
    );
  }
}

/** By the keys of Nest's own decorator, which are texts and the same in every copy of it. */
function isModule(target: object): boolean {
  return ['imports', 'providers', 'controllers', 'exports'].some(key => Reflect.hasMetadata(key, target));
}

function listInstances(container: INestApplicationContext): unknown[] {
  const modules = [...container.get(ModulesContainer, { strict: false }).values()];
  const wrappers = modules.flatMap(({ providers, controllers }) => [...providers.values(), ...controllers.values()]);
  return wrappers.map(({ instance }) => instance as unknown);
}
