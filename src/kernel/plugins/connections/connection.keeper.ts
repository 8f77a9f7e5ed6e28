import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Plan } from '#domain/plans/tiers.js';
import { toIso } from '#domain/time/instant.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { Rounds } from '#kernel/rounds/rounds.js';
import { CHECK_EVERY_MS, jittered, retryPause } from './check-times.js';
import { type Connection, isLive } from './connection.js';
import { abandon, claimDue, deleteConnection, saveFinding } from './connections.queries.js';
import { ConnectionsService, TOLERATED_FAILURES } from './connections.service.js';
import { Disconnector } from './disconnector.service.js';
import { LifecycleRunner } from './lifecycle-runner.js';
import { PluginDirectory } from './plugin-directory.js';

const LOOK_EVERY_MS = 5_000;
const AT_ONCE = 8;
const CALL_MS = 20_000;
/** Longer than a call takes: a process that dies over a connection leaves it to another one after this. */
const LEASE_MS = 60_000;
/** After this long a provider that never answers is no longer told of a disconnection. */
const GIVE_UP_AFTER = 7 * 24 * 3_600_000_000;

/**
 * Looks after connections, in the roles `all` and `worker`: checks those that are used, tells providers of those that
 * are gone, and takes back what a process that died was making. Each is in the hands of one process at a time.
 */
@Injectable()
export class ConnectionKeeper extends Rounds {
  private readonly log = new Logger('connections');

  constructor(
    private readonly work: UnitOfWork,
    private readonly directory: PluginDirectory,
    private readonly runner: LifecycleRunner,
    private readonly disconnector: Disconnector,
    @Inject(ENV) private readonly env: Env,
  ) {
    super({ everyMs: LOOK_EVERY_MS, log: 'connections', trouble: 'Connections cannot be looked after' });
  }

  protected override isOurs(): boolean {
    return this.env.role !== 'api';
  }

  /** Does what is due now, eight connections at a time. */
  protected async round(): Promise<void> {
    const due = await this.work.system(tx =>
      tx.query<{ workspace: string; id: string }>(
        'SELECT workspace_id AS workspace, id FROM connections WHERE due_at <= now() ORDER BY due_at LIMIT $1',
        [AT_ONCE],
      ),
    );
    await Promise.all(due.map(({ workspace, id }) => this.keep(workspace, id)));
  }

  private async keep(workspace: string, id: string): Promise<void> {
    const claimed = await this.work.run(workspace, tx => claimDue(tx, id, LEASE_MS));
    if (!claimed) return;
    if (isLive(claimed)) await this.check(claimed, claimed.plan as Plan);
    else await this.partFrom(claimed.state === 'testing' ? await this.takeBack(claimed) : claimed);
  }

  private async check(connection: Connection, plan: Plan): Promise<void> {
    const plugin = this.directory.ready(connection.plugin);
    const dormant = !plugin || ConnectionsService.isLocked(plan, plugin.manifest.minPlan);
    const outcome = dormant
      ? { error: connection.lastError }
      : await this.runner.check(plugin, connection, CALL_MS).then(
          result => ({ error: null, webhookActive: result?.webhook_active }),
          (error: Error) => ({ error: error.message }),
        );
    const failed = !dormant && outcome.error !== null;
    const dueInMs = jittered(failed ? Math.min(retryPause(connection.failures + 1), CHECK_EVERY_MS) : CHECK_EVERY_MS);
    if (dormant) return this.postpone(connection, dueInMs);
    const finding = { id: connection.id, dueInMs, ...outcome };
    await this.work.run(connection.workspaceId, async tx => saveFinding(tx, finding, TOLERATED_FAILURES));
  }

  /** From here on the workspace can connect again, however long the provider takes to hear of it. */
  private async takeBack(connection: Connection): Promise<Connection> {
    await this.work.run(connection.workspaceId, async tx => abandon(tx, connection.id));
    return { ...connection, state: 'disconnected' };
  }

  private async partFrom(connection: Connection): Promise<void> {
    const error = await this.disconnector.tellProvider(connection, CALL_MS);
    if (error === undefined) return;
    const since = Date.now() * 1000 - connection.updatedAt;
    if (since > GIVE_UP_AFTER) {
      const when = toIso(connection.updatedAt);
      this.log.error(`${connection.plugin}: the provider was never told of the disconnection of ${when}: ${error}`);
      return this.work.run(connection.workspaceId, async tx => deleteConnection(tx, connection.id));
    }
    await this.postpone(connection, jittered(retryPause(connection.failures)));
  }

  private async postpone({ workspaceId, id }: Connection, ms: number): Promise<void> {
    await this.work.run(workspaceId, async tx =>
      tx.queryWithCommit(
        `UPDATE connections SET due_at = now() + make_interval(secs => $3),
           failures = failures + CASE WHEN state = 'disconnected' THEN 1 ELSE 0 END
         WHERE workspace_id = $1 AND id = $2`,
        [workspaceId, id, ms / 1000],
      ),
    );
  }
}
