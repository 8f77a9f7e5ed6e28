import { Injectable, Logger } from '@nestjs/common';
import type { Caller } from '#kernel/auth/caller.js';
import { remainingMs } from '#kernel/context/request-context.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { Answered } from '#kernel/idempotency/answered.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { once } from '#kernel/idempotency/kept-answers.js';
import type { Connection } from './connection.js';
import type { DisconnectedDto } from './connections.dto.js';
import { deleteConnection, markDisconnected } from './connections.queries.js';
import { LifecycleRunner } from './lifecycle-runner.js';
import { PluginDirectory } from './plugin-directory.js';
import { pluginOf } from './provider-names.js';

const AT_ONCE_MS = 4_000;
const RESERVE_MS = 1_000;

/** Parts workspaces from providers: gone here at once, and told to the provider until it has heard it. */
@Injectable()
export class Disconnector {
  private readonly log = new Logger('connections');

  constructor(
    private readonly work: UnitOfWork,
    private readonly directory: PluginDirectory,
    private readonly runner: LifecycleRunner,
  ) {}

  /**
   * Disconnects. From the commit on nothing comes in or goes out; the subscription at the provider is removed right
   * after it, and later when the provider does not answer. That nothing was connected is well.
   * @throws HubError `unknown_provider`
   */
  async disconnect(caller: Caller, provider: string, key?: IdempotencyKey): Promise<Answered<DisconnectedDto>> {
    const plugin = pluginOf(provider);
    let gone: Connection | undefined;
    const answer = await this.work.run(caller.workspaceId, tx =>
      once(tx, key, async () => {
        gone = await markDisconnected(tx, plugin);
        if (!gone && !this.directory.list().some(({ id }) => id === plugin)) {
          throw HubError.unknownProvider(
            provider,
            this.directory.list().map(({ id }) => id),
          );
        }
        if (gone) tx.emit({ type: 'connection.removed', payload: { connection_id: gone.id, plugin } });
        return new Answered({ ok: true as const, provider: plugin, disconnected: gone !== undefined }, 200);
      }),
    );
    if (gone) await this.tellProvider(gone, atOnceMs());
    return answer;
  }

  /** Removes the subscription and then the last of the connection. @returns what went wrong, if anything did */
  async tellProvider(connection: Connection, ms: number): Promise<string | undefined> {
    const plugin = this.directory.ready(connection.plugin);
    if (!plugin) return 'The plugin does not serve.';
    try {
      await this.runner.disconnect(plugin, connection, ms);
      await this.work.run(connection.workspaceId, async tx => deleteConnection(tx, connection.id));
      return undefined;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.log.warn(`The provider of ${connection.plugin} has not been told of a disconnection yet: ${message}`);
      return message;
    }
  }
}

function atOnceMs(): number {
  return Math.max(200, Math.min(AT_ONCE_MS, (remainingMs() ?? AT_ONCE_MS) - RESERVE_MS));
}
