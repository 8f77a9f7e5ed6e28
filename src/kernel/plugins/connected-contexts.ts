import { Injectable, Logger } from '@nestjs/common';
import { isRetryLater } from '#sdk/errors.js';
import type { HubContext } from '#sdk/hub-context.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { reasonOf } from '#kernel/queue/sparing.log.js';
import type { Connection } from './connections/connection.js';
import { ConnectionsService } from './connections/connections.service.js';
import { PluginContexts } from './context/plugin-contexts.js';
import { type Delivery, DeliveryContexts, type DeliveryWish } from './delivery-contexts.js';

/** Hubs for deliveries and calls, each for the connection that it is about. */
@Injectable()
export class ConnectedContexts extends DeliveryContexts {
  private readonly log = new Logger('plugins');

  constructor(
    private readonly work: UnitOfWork,
    private readonly connections: ConnectionsService,
    private readonly contexts: PluginContexts,
  ) {
    super();
  }

  async of({ workspaceId, plugin, connectionId, signal }: DeliveryWish): Promise<Delivery | undefined> {
    if (connectionId === null) {
      const hub = this.contexts.make({ workspaceId, plugin, connection: null, signal });
      return { hub, ended: () => Promise.resolve() };
    }
    const connection = await this.work.run(workspaceId, tx => this.connections.find(tx, connectionId));
    if (connection?.plugin !== plugin.id) return undefined;
    const { hub, redact } = this.contexts.made({ workspaceId, plugin, connection, signal });
    const ended = async (failure?: unknown) => {
      if ((failure === undefined && connection.failures === 0) || isRetryLater(failure)) return;
      await this.tell(connection, failure === undefined ? null : redact(reasonOf(failure)));
    };
    return { hub, ended };
  }

  async forCall({ workspaceId, plugin, signal }: Omit<DeliveryWish, 'connectionId'>): Promise<HubContext> {
    const [connection = null] = await this.work.run(workspaceId, tx => this.connections.of(tx, plugin.id));
    return this.contexts.make({ workspaceId, plugin, connection, signal });
  }

  async liveConnection(tx: Tx, plugin: string): Promise<string | undefined> {
    return (await this.connections.of(tx, plugin))[0]?.id;
  }

  private async tell({ workspaceId, id, plugin }: Connection, failure: string | null): Promise<void> {
    try {
      await this.connections.noteOutcome(workspaceId, id, failure);
    } catch (error) {
      this.log.warn(`The outcome for a connection of "${plugin}" is lost: ${reasonOf(error)}`);
    }
  }
}
