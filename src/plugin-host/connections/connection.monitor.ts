import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Plan } from '#domain/plans/tiers.js';
import { toIso } from '#domain/time/instant.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import { isReconnectRequired } from '../reconnect-required.error.js';
import {
  CHECK_INTERVAL_MS,
  withJitter,
  computeCheckRetryDelayMs,
  type Connection,
  isEstablished,
} from './connection.js';
import { markAbandoned, claimDueConnection, deleteConnection, saveCheckOutcome } from './connections.queries.js';
import { ConnectionsService, DEGRADED_AFTER_FAILURES } from './connections.service.js';
import { DisconnectorService } from './disconnector.service.js';
import { ConnectionUpgradeService } from './connection-upgrade.service.js';
import { LifecycleRunner } from './lifecycle.runner.js';
import { type ConnectablePlugin, PluginDirectory } from './plugin.directory.js';

const POLL_INTERVAL_MS = 5_000;
const MAX_CONCURRENT_CHECKS = 8;
const CALL_TIMEOUT_MS = 20_000;
/** Longer than a call may take. If a process dies, another one takes its connection over after this time. */
const LEASE_TTL_MS = 60_000;
/** How long a disconnection is retried at an unreachable provider, in microseconds. */
const MAX_DISCONNECT_RETRY_US = 7 * 24 * 3_600_000_000;

/**
 * Monitors connections, in the roles `all` and `worker`: checks active ones, removes the subscriptions of disconnected
 * ones at their providers, and abandons pending ones whose process died. A lease keeps each with one process at a time.
 */
@Injectable()
export class ConnectionMonitor extends PeriodicTask {
  private readonly log = new Logger('connections');

  constructor(
    private readonly work: UnitOfWork,
    private readonly directory: PluginDirectory,
    private readonly runner: LifecycleRunner,
    private readonly disconnections: DisconnectorService,
    private readonly upgrades: ConnectionUpgradeService,
    @Inject(ENV) private readonly env: Env,
  ) {
    super({
      intervalMs: POLL_INTERVAL_MS,
      loggerName: 'connections',
      failureMessage: 'Connections cannot be checked',
    });
  }

  protected override isEnabled(): boolean {
    return this.env.role !== 'api';
  }

  /** Processes up to eight connections that are due. */
  protected async run(): Promise<void> {
    const due = await this.work.system(tx =>
      tx.query<{ workspace: string; id: string }>(
        'SELECT workspace_id AS workspace, id FROM connections WHERE due_at <= now() ORDER BY due_at LIMIT $1',
        [MAX_CONCURRENT_CHECKS],
      ),
    );
    await Promise.all(due.map(({ workspace, id }) => this.process(workspace, id)));
  }

  private async process(workspace: string, id: string): Promise<void> {
    const claimed = await this.work.run(workspace, tx => claimDueConnection(tx, id, LEASE_TTL_MS));
    if (!claimed) return;
    if (isEstablished(claimed)) await this.check(claimed, claimed.plan as Plan);
    else await this.finishDisconnect(claimed.state === 'testing' ? await this.abandonPending(claimed) : claimed);
  }

  private async check(connection: Connection, plan: Plan): Promise<void> {
    const plugin = this.directory.findReady(connection.plugin);
    const isSkipped =
      !plugin || ConnectionsService.isLocked(plan, plugin.manifest.minPlan) || this.runner.isLocked(connection);
    const upgraded = isSkipped ? undefined : await this.upgrade(plugin, connection);
    if (isSkipped || !upgraded) return this.reschedule(connection, withJitter(CHECK_INTERVAL_MS));
    const outcome = await this.runner.check(plugin, upgraded, CALL_TIMEOUT_MS).then(
      result => ({ error: null, webhookActive: result?.webhook_active }),
      (error: Error) => ({ error: error.message }),
    );
    const failed = outcome.error !== null;
    const dueInMs = withJitter(
      failed ? Math.min(computeCheckRetryDelayMs(connection.failures + 1), CHECK_INTERVAL_MS) : CHECK_INTERVAL_MS,
    );
    const checkOutcome = { id: connection.id, dueInMs, ...outcome };
    await this.work.run(connection.workspaceId, async tx =>
      saveCheckOutcome(tx, checkOutcome, DEGRADED_AFTER_FAILURES),
    );
  }

  /** Returns a connection that can be checked; undefined if it has to be made again. */
  private upgrade(plugin: ConnectablePlugin, connection: Connection): Promise<Connection | undefined> {
    return this.upgrades.upgrade(plugin, connection).catch((error: unknown) => {
      if (!isReconnectRequired(error)) throw error;
      return undefined;
    });
  }

  /** Frees the workspace to connect again, before the provider is cleaned up. */
  private async abandonPending(connection: Connection): Promise<Connection> {
    await this.work.run(connection.workspaceId, async tx => markAbandoned(tx, connection.id));
    return { ...connection, state: 'disconnected' };
  }

  private async finishDisconnect(connection: Connection): Promise<void> {
    const error = await this.disconnections.removeAtProvider(connection, CALL_TIMEOUT_MS);
    if (error === undefined) return;
    const elapsedUs = Date.now() * 1000 - connection.updatedAt;
    if (elapsedUs > MAX_DISCONNECT_RETRY_US) {
      const disconnectedAt = toIso(connection.updatedAt);
      this.log.error(
        `${connection.plugin}: the provider never confirmed the disconnection of ${disconnectedAt}: ${error}`,
      );
      return this.work.run(connection.workspaceId, async tx => deleteConnection(tx, connection.id));
    }
    await this.reschedule(connection, withJitter(computeCheckRetryDelayMs(connection.failures)));
  }

  private async reschedule({ workspaceId, id }: Connection, ms: number): Promise<void> {
    await this.work.run(workspaceId, async tx =>
      tx.deferToCommit(
        `UPDATE connections SET due_at = now() + make_interval(secs => $3),
           failures = failures + CASE WHEN state = 'disconnected' THEN 1 ELSE 0 END
         WHERE workspace_id = $1 AND id = $2`,
        [workspaceId, id, ms / 1000],
      ),
    );
  }
}
