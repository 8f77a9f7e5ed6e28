import { Injectable } from '@nestjs/common';
import type { Plan } from '#domain/plans/tiers.js';
import { RetryLater } from '#sdk/errors.js';
import type { TestResult } from '#sdk/lifecycle.js';
import type { Caller } from '#kernel/auth/caller.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import { CHECK_EVERY_MS, jittered } from './check-times.js';
import { pluginFor, readConnectRequest } from './connect-request.js';
import { type Connection, isLive } from './connection.js';
import { ConnectionUrlsService } from './connection-urls.service.js';
import { ConnectionVault } from './connection-vault.js';
import type { IntegrationDto } from './integrations.dto.js';
import { readConnection, readCurrent, readLive, saveFinding } from './connections.queries.js';
import { LifecycleRunner } from './lifecycle-runner.js';
import { PluginDirectory } from './plugin-directory.js';
import { showIntegration } from './shown-connection.js';

/** Failures in a row that a connection may have before it counts as degraded. */
export const TOLERATED_FAILURES = 3;
const TEST_MS = 8_000;
const SOON_MS = 2_000;

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
  of(tx: Tx, plugin: string): Promise<Connection[]> {
    return readLive(tx, plugin);
  }

  /**
   * A connection that is used, by its id.
   * @throws RetryLater while it is being made: what its provider sends meanwhile was acknowledged and must wait for it.
   */
  async find(tx: Tx, id: string): Promise<Connection | undefined> {
    const found = await readConnection(tx, id);
    if (found?.state === 'testing') throw new RetryLater(SOON_MS, 'The connection is being made.');
    return found && isLive(found) ? found : undefined;
  }

  /** Whether a plan includes a plugin; a connection of one that it does not is locked, and keeps its credentials. */
  static isLocked(plan: Plan, minPlan: Plan | undefined): boolean {
    return !PlanGate.may(plan, minPlan);
  }

  /** Every plugin of this hub, with the state that it has for the workspace. */
  async catalogue({ workspaceId, plan }: Caller): Promise<IntegrationDto[]> {
    const connections = await this.work.run(workspaceId, tx => readLive(tx));
    return this.directory.list().map(found => {
      const connection = connections.find(({ plugin }) => plugin === found.id);
      return showIntegration(found, this.directory.ready(found.id), connection, plan);
    });
  }

  /**
   * Asks the provider whether the saved credentials are still good, or others that are sent and not saved. What is
   * found about saved ones is noted.
   * @throws HubError `unknown_provider`, `plan_required`, `not_connected`, `invalid_credentials` or
   *   `invalid_request` for what does not fit the manifest or names a URL that may not be called
   */
  async test({ workspaceId, plan }: Caller, provider: string, tried?: Trying): Promise<TestResult> {
    const plugin = pluginFor(this.directory, plan, provider);
    if (tried?.credentials) {
      const wish = readConnectRequest(this.directory, plan, { ...tried, provider });
      await this.urls.check(plugin.manifest, wish);
      return this.runner.test(plugin, { workspaceId, ...wish }, TEST_MS);
    }
    const connection = await this.work.run(workspaceId, tx => readCurrent(tx, plugin.id));
    if (!connection || !isLive(connection)) throw new HubError('not_connected');
    const credentials = this.vault.openCredentials(connection);
    const result = await this.runner.test(plugin, { workspaceId, credentials, settings: connection.settings }, TEST_MS);
    const error = result.outcome === 'ok' ? null : result.message;
    const finding = { id: connection.id, error, dueInMs: jittered(CHECK_EVERY_MS) };
    await this.work.run(workspaceId, async tx => saveFinding(tx, finding, TOLERATED_FAILURES));
    return result;
  }

  /** Notes what a handler met with; a run of failures makes the connection degraded, a success makes it whole. */
  async noteOutcome(workspaceId: string, id: string, error: string | null): Promise<void> {
    await this.work.run(workspaceId, async tx => {
      if (error === null && !(await readConnection(tx, id))?.failures) return;
      saveFinding(tx, { id, error }, TOLERATED_FAILURES);
    });
  }
}

/** Credentials and settings that are tested without being saved. */
export interface Trying {
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}
