import { Injectable, Logger } from '@nestjs/common';
import type { HubContext } from '#sdk/hub-context.js';
import { needsConnection } from '#sdk/manifest/needs-connection.js';
import type { Tx } from '#kernel/db/transaction.js';
import { isRetryLater } from '#sdk/errors.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { isLocked } from '#kernel/secrets/secret-box.js';
import { isReconnectRequired } from '../reconnect-required.error.js';
import { errorMessage } from '#kernel/telemetry/throttled-logger.js';
import type { StepEffects } from '../runs/run.js';
import type { EnabledPlugin, ReadyPlugin } from '../host/plugin.registry.js';
import type { Connection } from '../connections/connection.js';
import { ConnectionUpgradeService } from '../connections/connection-upgrade.service.js';
import { toConnectable } from '../connections/plugin.directory.js';
import { ConnectionsService } from '../connections/connections.service.js';
import { HubContextFactory } from './hub-context.factory.js';

/** Identifies one delivery to one plugin, for which a hub context is created. */
export interface DeliveryScope {
  readonly workspaceId: string;
  readonly plugin: ReadyPlugin;
  /** Null for a plugin without a connection. */
  readonly connectionId: string | null;
  readonly signal: AbortSignal;
  /** Collects jobs and events instead of writing them at once. Default: they are written at once. */
  readonly effects?: StepEffects | undefined;
}

/** Identifies a user's call of a plugin. */
export interface CallScope extends Omit<DeliveryScope, 'connectionId'> {
  /** The connection that the caller has named. */
  readonly connectionId?: string | undefined;
}

/** The hub context of a delivery, and the callback for its outcome. */
export interface DeliveryContext {
  readonly hub: HubContext;
  /** Records the outcome on the connection; without an error, a success. Never rejects. */
  readonly reportOutcome: (error?: unknown) => Promise<void>;
}

/** Port through which the host uses connections. */
export abstract class DeliveryContextFactory {
  /** Creates the hub context of a delivery; returns undefined when the connection no longer exists. */
  abstract create(scope: DeliveryScope): Promise<DeliveryContext | undefined>;

  /**
   * Creates the hub context of a user's call, with the named connection, or with the only one of the workspace.
   * @throws HubError `not_connected` if the plugin needs a connection and there is none, `connection_required` if there
   *   are several and none is named, `connection_not_found`
   */
  abstract createForCall(scope: CallScope): Promise<HubContext>;

  /** Returns the IDs of the plugins to which the workspace has an active connection. */
  abstract findConnectedPlugins(workspaceId: string): Promise<ReadonlySet<string>>;

  /** Returns the IDs of the workspace's connections to a plugin that are active or have to be made again. */
  abstract listConnectionIds(tx: Tx, plugin: string): Promise<readonly string[]>;
}

/** Returns whether a plugin serves a workspace only with a connection. */
export function requiresConnection({ manifest, container }: EnabledPlugin): boolean {
  return needsConnection(manifest, (container?.handlers.lifecycles.length ?? 0) > 0);
}

/** Returns whether a failure says nothing about the provider: the delivery waits for a key or a new connection. */
function isOnHold(failure: unknown): boolean {
  return isLocked(failure) || isReconnectRequired(failure);
}

/** Creates hub contexts for deliveries and calls from the connection of the workspace. */
@Injectable()
export class ConnectionDeliveryContextFactory extends DeliveryContextFactory {
  private readonly log = new Logger('plugins');

  constructor(
    private readonly work: UnitOfWork,
    private readonly connections: ConnectionsService,
    private readonly contexts: HubContextFactory,
    private readonly upgrades: ConnectionUpgradeService,
  ) {
    super();
  }

  async create({
    workspaceId,
    plugin,
    connectionId,
    signal,
    effects,
  }: DeliveryScope): Promise<DeliveryContext | undefined> {
    if (connectionId === null) {
      const hub = this.contexts.createHub({ workspaceId, plugin, connection: null, signal, effects });
      return { hub, reportOutcome: () => Promise.resolve() };
    }
    const connection = await this.work.run(workspaceId, tx => this.connections.find(tx, connectionId));
    if (connection?.plugin !== plugin.id) return undefined;
    const upgraded = await this.upgrade(plugin, connection);
    const { hub, redact } = this.contexts.create({ workspaceId, plugin, connection: upgraded, signal, effects });
    const reportOutcome = async (failure?: unknown) => {
      if ((failure === undefined && connection.failures === 0) || isRetryLater(failure) || isOnHold(failure)) return;
      await this.recordOutcome(connection, failure === undefined ? null : redact(errorMessage(failure)));
    };
    return { hub, reportOutcome };
  }

  async createForCall({ workspaceId, plugin, connectionId: id, signal }: CallScope): Promise<HubContext> {
    const ref = { plugin: plugin.id, id };
    const found = await this.work.run(workspaceId, tx => this.connections.findEstablished(tx, ref));
    if (!found && requiresConnection(plugin)) throw new HubError('not_connected');
    const connection = found ? await this.upgrade(plugin, found) : null;
    return this.contexts.createHub({ workspaceId, plugin, connection, signal });
  }

  async findConnectedPlugins(workspaceId: string): Promise<ReadonlySet<string>> {
    return new Set(await this.work.run(workspaceId, tx => this.connections.listConnectedPlugins(tx)));
  }

  async listConnectionIds(tx: Tx, plugin: string): Promise<readonly string[]> {
    return (await this.connections.listEstablished(tx, plugin)).map(({ id }) => id);
  }

  private upgrade(plugin: ReadyPlugin, connection: Connection): Promise<Connection> {
    return this.upgrades.upgrade(toConnectable(plugin), connection);
  }

  private async recordOutcome({ workspaceId, id, plugin }: Connection, failure: string | null): Promise<void> {
    try {
      await this.connections.recordOutcome(workspaceId, id, failure);
    } catch (error) {
      this.log.warn(`The outcome of a call could not be saved for a connection of "${plugin}": ${errorMessage(error)}`);
    }
  }
}
