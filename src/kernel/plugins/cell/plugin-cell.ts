import { type INestApplicationContext, type Type } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { handlersOf, type PluginHandler, type PluginHandlers } from '#sdk/handlers.js';
import { redactedError } from '#kernel/egress/redacted-error.js';
import { reasonOf } from '#kernel/queue/sparing.log.js';
import { endsWithin } from '#kernel/queue/within.js';
import { inPlugin } from './attribution.js';
import { redactorAmong } from './hub-secrets.js';

/** How long a cell that closes waits for the handlers at hand, in milliseconds. */
const GRACE_MS = 10_000;
const CLOSING_MS = 2_000;

/** The module of a plugin could not be opened; the message says why. */
export class CellFailure extends Error {}

/**
 * A plugin in a Nest container of its own, where nothing of the hub can be injected: what it may use of the hub comes
 * as an argument of its handlers. One cell serves all workspaces.
 */
export class PluginCell {
  private readonly atHand = new Set<Promise<unknown>>();
  private closing: Promise<void> | undefined;

  private constructor(
    readonly id: string,
    private readonly container: INestApplicationContext,
    readonly handlers: PluginHandlers,
  ) {}

  /** Opens the Nest module that a package exports. @throws CellFailure */
  static async open(id: string, exported: Record<string, unknown>): Promise<PluginCell> {
    const module = exported['default'];
    if (typeof module !== 'function' || !isModule(module)) {
      throw new CellFailure('The default export of its module is no Nest module: export a class with @Module().');
    }
    try {
      // The logger is the whole process's, so none may be named here: false would silence everybody.
      const opening = () => NestFactory.createApplicationContext(module as Type, { abortOnError: false });
      const container = await inPlugin(id, opening);
      return new PluginCell(id, container, handlersOf(instancesOf(container)));
    } catch (error) {
      throw new CellFailure(`It fails at its start: ${reasonOf(error)}`, { cause: error });
    }
  }

  /**
   * Calls a handler as the plugin. Rejects with what it throws, without the secrets of the hub among the arguments, so
   * that whoever logs, keeps or answers it need not think of them; and when the cell is closing.
   */
  async call(handler: Pick<PluginHandler, 'call'>, ...args: readonly unknown[]): Promise<unknown> {
    if (this.closing) throw new CellFailure(`The plugin "${this.id}" is being closed.`);
    const redact = redactorAmong(args);
    const work = inPlugin(this.id, async () => handler.call(...args), redact).catch((error: unknown) => {
      throw redactedError(redact, error);
    });
    const tracked = work.then(
      () => undefined,
      () => undefined,
    );
    this.atHand.add(tracked);
    void tracked.then(() => this.atHand.delete(tracked));
    return work;
  }

  /** Waits for the handlers at hand, 10 s at most, and closes the container. Safe to call twice; never rejects. */
  close(): Promise<void> {
    return (this.closing ??= this.end());
  }

  private async end(): Promise<void> {
    await endsWithin(GRACE_MS, Promise.all(this.atHand));
    await endsWithin(
      CLOSING_MS,
      inPlugin(this.id, () => this.container.close()),
    );
  }
}

/** By the keys of Nest's own decorator, which are texts and the same in every copy of it. */
function isModule(target: object): boolean {
  return ['imports', 'providers', 'controllers', 'exports'].some(key => Reflect.hasMetadata(key, target));
}

function instancesOf(container: INestApplicationContext): unknown[] {
  const modules = [...container.get(ModulesContainer, { strict: false }).values()];
  const wrappers = modules.flatMap(({ providers, controllers }) => [...providers.values(), ...controllers.values()]);
  return wrappers.map(({ instance }) => instance as unknown);
}
