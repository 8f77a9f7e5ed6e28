import { Injectable, Logger } from '@nestjs/common';
import { isRetryLater } from '#sdk/errors.js';
import type { HubContext } from '#sdk/hub-context.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { isLocked } from '#kernel/secrets/sealed-text.js';
import { errorMessage } from '#kernel/telemetry/throttled-logger.js';
import type { Connection } from '../connections/connection.js';
import { ConnectionsService } from '../connections/connections.service.js';
import { HubContextFactory } from './hub-context.factory.js';
import { type DeliveryContext, DeliveryContextFactory, type DeliveryScope } from './delivery-context.factory.js';

/** Creates hub contexts for deliveries and calls from the connection of the workspace. */
@Injectable()
export class ConnectionDeliveryContextFactory extends DeliveryContextFactory {
  private readonly log = new Logger('plugins');

  constructor(
    private readonly work: UnitOfWork,
    private readonly connections: ConnectionsService,
    private readonly contexts: HubContextFactory,
  ) {
    super();
  }

  async create({ workspaceId, plugin, connectionId, signal }: DeliveryScope): Promise<DeliveryContext | undefined> {
    if (connectionId === null) {
      const hub = this.contexts.createHub({ workspaceId, plugin, connection: null, signal });
      return { hub, reportOutcome: () => Promise.resolve() };
    }
    const connection = await this.work.run(workspaceId, tx => this.connections.find(tx, connectionId));
    if (connection?.plugin !== plugin.id) return undefined;
    const { hub, redact } = this.contexts.create({ workspaceId, plugin, connection, signal });
    const reportOutcome = async (failure?: unknown) => {
      if ((failure === undefined && connection.failures === 0) || isRetryLater(failure) || isLocked(failure)) return;
      await this.recordOutcome(connection, failure === undefined ? null : redact(errorMessage(failure)));
    };
    return { hub, reportOutcome };
  }

  async createForCall({ workspaceId, plugin, signal }: Omit<DeliveryScope, 'connectionId'>): Promise<HubContext> {
    const [connection = null] = await this.work.run(workspaceId, tx => this.connections.listActive(tx, plugin.id));
    return this.contexts.createHub({ workspaceId, plugin, connection, signal });
  }

  async findActiveConnectionId(tx: Tx, plugin: string): Promise<string | undefined> {
    return (await this.connections.listActive(tx, plugin))[0]?.id;
  }

  private async recordOutcome({ workspaceId, id, plugin }: Connection, failure: string | null): Promise<void> {
    try {
      await this.connections.recordOutcome(workspaceId, id, failure);
    } catch (error) {
      this.log.warn(`The outcome of a call could not be saved for a connection of "${plugin}": ${errorMessage(error)}`);
    }
  }
}
