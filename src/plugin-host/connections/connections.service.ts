import { Injectable } from '@nestjs/common';
import type { Plan } from '#domain/plans/tiers.js';
import { RetryLater } from '#sdk/errors.js';
import type { TestResult } from '#sdk/lifecycle.js';
import type { Caller } from '#kernel/auth/caller.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import { CHECK_INTERVAL_MS, withJitter } from './check-schedule.js';
import { resolveProvider, parseConnectRequest } from './connect.input.js';
import { type Connection, isActive } from './connection.js';
import { ConnectionUrlsService } from './connection-urls.service.js';
import { ConnectionVault } from './connection-vault.js';
import type { Integration } from './integrations.dto.js';
import {
  readConnection,
  readCurrentConnection,
  readActiveConnections,
  saveCheckOutcome,
} from './connections.queries.js';
import { LifecycleRunner } from './lifecycle.runner.js';
import { PluginDirectory } from './plugin.directory.js';
import { toIntegration } from './connection.presenter.js';

/** Failures in a row that a connection may have before it counts as degraded. */
export const DEGRADED_AFTER_FAILURES = 3;
const TEST_TIMEOUT_MS = 8_000;
const PENDING_RETRY_MS = 2_000;

/** The connections of a workspace. */
@Injectable()
export class ConnectionsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly directory: PluginDirectory,
    private readonly vault: ConnectionVault,
    private readonly runner: LifecycleRunner,
    private readonly urls: ConnectionUrlsService,
  ) {}

  /** The connections of a plugin that are used: none or one. */
  listActive(tx: Tx, plugin: string): Promise<Connection[]> {
    return readActiveConnections(tx, plugin);
  }

  /**
   * A connection that is used, by its id.
   * @throws RetryLater while it is being made: what its provider sends meanwhile was acknowledged and must wait for it.
   */
  async find(tx: Tx, id: string): Promise<Connection | undefined> {
    const found = await readConnection(tx, id);
    if (found?.state === 'testing') throw new RetryLater(PENDING_RETRY_MS, 'The connection is being made.');
    return found && isActive(found) ? found : undefined;
  }

  /** Whether a plan includes a plugin; a connection of one that it does not is locked, and keeps its credentials. */
  static isLocked(plan: Plan, minPlan: Plan | undefined): boolean {
    return !PlanGate.isAllowed(plan, minPlan);
  }

  /** Every plugin of this hub, with the state that it has for the workspace. */
  async listIntegrations({ workspaceId, plan }: Caller): Promise<Integration[]> {
    const connections = await this.work.run(workspaceId, tx => readActiveConnections(tx));
    return this.directory.list().map(found => {
      const connection = connections.find(({ plugin }) => plugin === found.id);
      return toIntegration(found, this.directory.findReady(found.id), connection, plan);
    });
  }

  /**
   * Asks the provider whether the saved credentials are still good, or others that are sent and not saved. What is
   * found about saved ones is noted.
   * @throws HubError `unknown_provider`, `plan_required`, `not_connected`, `invalid_credentials` or
   *   `invalid_request` for what does not fit the manifest or names a URL that may not be called
   */
  async test({ workspaceId, plan }: Caller, provider: string, pending?: PendingConnection): Promise<TestResult> {
    const plugin = resolveProvider(this.directory, plan, provider);
    if (pending?.credentials) {
      const input = parseConnectRequest(this.directory, plan, { ...pending, provider });
      await this.urls.check(plugin.manifest, input);
      return this.runner.test(plugin, { workspaceId, ...input }, TEST_TIMEOUT_MS);
    }
    const connection = await this.work.run(workspaceId, tx => readCurrentConnection(tx, plugin.id));
    if (!connection || !isActive(connection)) throw new HubError('not_connected');
    const credentials = this.vault.openCredentials(connection);
    const result = await this.runner.test(
      plugin,
      { workspaceId, credentials, settings: connection.settings },
      TEST_TIMEOUT_MS,
    );
    const error = result.outcome === 'ok' ? null : result.message;
    const checkOutcome = { id: connection.id, error, dueInMs: withJitter(CHECK_INTERVAL_MS) };
    await this.work.run(workspaceId, async tx => saveCheckOutcome(tx, checkOutcome, DEGRADED_AFTER_FAILURES));
    return result;
  }

  /** Notes what a handler met with; a run of failures makes the connection degraded, a success makes it whole. */
  async recordOutcome(workspaceId: string, id: string, error: string | null): Promise<void> {
    await this.work.run(workspaceId, async tx => {
      if (error === null && !(await readConnection(tx, id))?.failures) return;
      saveCheckOutcome(tx, { id, error }, DEGRADED_AFTER_FAILURES);
    });
  }
}

/** Credentials and settings that are tested without being saved. */
export interface PendingConnection {
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}
