import { Injectable } from '@nestjs/common';
import type { Plan } from '#domain/plans/tiers.js';
import { RetryLater } from '#sdk/errors.js';
import type { TestResult } from '#sdk/lifecycle.js';
import type { Caller } from '#kernel/auth/caller.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import { TokenEndpointClient } from '../oauth2/token-endpoint.client.js';
import { RunsService } from '../runs/runs.service.js';
import { ReconnectRequiredError } from '../reconnect-required.error.js';
import { CHECK_INTERVAL_MS, withJitter, type Connection, isActive } from './connection.js';
import { resolveProvider, parseConnectRequest, toPluginId } from './connect.input.js';
import { type ConnectionRef, findConnection, requireConnection } from './connection-lookup.js';
import { ConnectionUpgradeService } from './connection-upgrade.service.js';
import { ConnectionUrlsService } from './connection-urls.service.js';
import { ConnectionVault } from './connection-vault.js';
import type { Integration, IntegrationConnection, IntegrationDetail } from './integrations.dto.js';
import {
  readConnection,
  lockActiveConnection,
  readActiveConnections,
  readEstablishedConnections,
  readConnectedPlugins,
  saveCheckOutcome,
  saveConnectionSettings,
} from './connections.queries.js';
import { LifecycleRunner } from './lifecycle.runner.js';
import { PluginDirectory } from './plugin.directory.js';
import { toIntegration, toIntegrationConnection } from './connection.presenter.js';

/** Consecutive failures after which a connection is degraded. */
export const DEGRADED_AFTER_FAILURES = 3;
const TEST_TIMEOUT_MS = 8_000;
const PENDING_RETRY_MS = 2_000;
const SHOWN_RUNS = 10;

/** Reads, lists and tests the connections of a workspace. */
@Injectable()
export class ConnectionsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly directory: PluginDirectory,
    private readonly vault: ConnectionVault,
    private readonly runner: LifecycleRunner,
    private readonly urls: ConnectionUrlsService,
    private readonly upgrades: ConnectionUpgradeService,
    private readonly endpoint: TokenEndpointClient,
    private readonly runs: RunsService,
  ) {}

  /** Returns the active connections of a plugin. */
  listActive(tx: Tx, plugin: string): Promise<Connection[]> {
    return readActiveConnections(tx, plugin);
  }

  /** Returns the connections of a plugin that are active or have to be made again. */
  listEstablished(tx: Tx, plugin: string): Promise<Connection[]> {
    return readEstablishedConnections(tx, plugin);
  }

  /** Finds a connection that is active or has to be made again. @throws HubError those of `findConnection` */
  findEstablished(tx: Tx, ref: ConnectionRef): Promise<Connection | undefined> {
    return findConnection(tx, ref);
  }

  /** Returns the IDs of the plugins to which the workspace has an active connection. */
  listConnectedPlugins(tx: Tx): Promise<string[]> {
    return readConnectedPlugins(tx);
  }

  /** Returns the active connection of a plugin, locked until the transaction ends. */
  lockActive(tx: Tx, plugin: string): Promise<Connection | undefined> {
    return lockActiveConnection(tx, plugin);
  }

  /** Replaces the settings of a connection, at the commit of the transaction. */
  saveSettings(tx: Tx, id: string, settings: Readonly<Record<string, unknown>>): void {
    saveConnectionSettings(tx, id, settings);
  }

  /**
   * Finds an active connection by ID; returns undefined if it is disconnected.
   * @throws RetryLater while it is being made, because deliveries that were acknowledged meanwhile must wait for it
   * @throws ReconnectRequiredError if it has to be made again
   */
  async find(tx: Tx, id: string): Promise<Connection | undefined> {
    const found = await readConnection(tx, id);
    if (found?.state === 'testing') throw new RetryLater(PENDING_RETRY_MS, 'The connection is being made.');
    if (found?.state === 'reconnect') throw new ReconnectRequiredError(found.lastError);
    return found && isActive(found) ? found : undefined;
  }

  /** Returns whether a plan excludes a plugin; connections of such a plugin are locked and keep their credentials. */
  static isLocked(plan: Plan, minPlan: Plan | undefined): boolean {
    return !PlanGate.isAllowed(plan, minPlan);
  }

  /** Lists every plugin of this hub with its state for the workspace. */
  async listIntegrations({ workspaceId, plan }: Caller): Promise<Integration[]> {
    const connections = await this.work.run(workspaceId, tx => readEstablishedConnections(tx));
    return this.directory.list().map(found => {
      const own = connections.filter(({ plugin }) => plugin === found.id);
      return toIntegration(found, this.directory.findReady(found.id), own, {
        plan,
        lockedIds: new Set(own.filter(each => this.vault.isLocked(each)).map(({ id }) => id)),
        isConfigured: signIn => this.endpoint.isConfigured(signIn),
      });
    });
  }

  /** Returns an integration as {@link listIntegrations} shows it, with its newest runs. @throws HubError `unknown_provider` */
  async getIntegration(caller: Caller, provider: string): Promise<IntegrationDetail> {
    const id = toPluginId(provider);
    const integrations = await this.listIntegrations(caller);
    const found = integrations.find(each => each.provider === id);
    if (!found)
      throw HubError.unknownProvider(
        provider,
        integrations.map(each => each.provider),
      );
    const { runs } = await this.runs.list(caller.workspaceId, id, { limit: SHOWN_RUNS });
    return { ...found, runs };
  }

  /**
   * Returns a connection as {@link listIntegrations} shows it.
   * @throws HubError `connection_not_found`, `not_connected`, `connection_required`
   */
  async get({ workspaceId }: Caller, { plugin, id }: ConnectionRef): Promise<IntegrationConnection> {
    const name = toPluginId(plugin);
    const found = await this.work.run(workspaceId, tx => requireConnection(tx, { plugin: name, id }));
    return toIntegrationConnection(found, this.directory.findReady(name), this.vault.isLocked(found));
  }

  /**
   * Tests the saved credentials at the provider, or sent ones without saving them. The outcome of a test of saved
   * credentials is saved.
   * @throws HubError those of `findConnection`, `unknown_provider`, `plan_required`, `plugin_not_ready`, `not_connected`, `invalid_credentials` or
   *   `invalid_request` for values that do not match the manifest or hold a URL that may not be called
   */
  async test({ workspaceId, plan }: Caller, ref: ConnectionRef, pending?: PendingConnection): Promise<TestResult> {
    const plugin = resolveProvider(this.directory, plan, ref.plugin);
    if (pending?.credentials) {
      const input = parseConnectRequest(this.directory, plan, { ...pending, provider: ref.plugin });
      await this.urls.check(plugin.manifest, input);
      return this.runner.test(plugin, { workspaceId, ...input }, TEST_TIMEOUT_MS);
    }
    const { connection, credentials, tokens } = await this.upgrades.open(workspaceId, plugin, ref.id);
    const { settings } = connection;
    const result = await this.runner.test(plugin, { workspaceId, credentials, settings, tokens }, TEST_TIMEOUT_MS);
    const error = result.outcome === 'ok' ? null : result.message;
    const checkOutcome = { id: connection.id, error, dueInMs: withJitter(CHECK_INTERVAL_MS) };
    await this.work.run(workspaceId, async tx => saveCheckOutcome(tx, checkOutcome, DEGRADED_AFTER_FAILURES));
    return result;
  }

  /**
   * Records the outcome of a handler call: three consecutive failures degrade the connection, a success restores it.
   */
  async recordOutcome(workspaceId: string, id: string, error: string | null): Promise<void> {
    await this.work.run(workspaceId, async tx => {
      if (error === null && !(await readConnection(tx, id))?.failures) return;
      saveCheckOutcome(tx, { id, error }, DEGRADED_AFTER_FAILURES);
    });
  }
}

/** Credentials and settings to test without saving them. */
export interface PendingConnection {
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}
