import { Inject, Injectable } from '@nestjs/common';
import { computeLikeness, describeLikeness } from '#domain/identity/likeness.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { flatMapYielding } from '#kernel/scheduling/cooperative-scheduler.js';
import { computeRestMs, pause } from '#kernel/scheduling/rest.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import { listWorkspaces } from '#kernel/workspaces/workspaces.repository.js';
import { FIRST_ID, findCandidates, readLikenessSides, readScanPage, saveScan, takeScan } from './likeness.queries.js';
import { insertLikenesses } from './proposals.queries.js';

const INTERVAL_MS = 5 * 60_000;
/** Number of entities that are compared in one transaction; each can have some hundred candidates. */
const BATCH_SIZE = 50;
/** Share of the time for which a scan works: after a large import it takes hours, and others must not notice. */
const WORKING_SHARE = 0.2;

/**
 * Compares entities by likeness in the background and proposes to merge those that are like each other. It never merges.
 * Ids sort by the time of creation, so a scan goes on where the last one ended and finds what is new; once a day it
 * begins again for what has changed.
 */
@Injectable()
export class LikenessJob extends PeriodicTask {
  private readonly stop = new AbortController();

  constructor(
    private readonly work: UnitOfWork,
    @Inject(ENV) private readonly env: Env,
  ) {
    super({ intervalMs: INTERVAL_MS, loggerName: 'identity', failureMessage: 'Entities cannot be compared' });
  }

  protected override isEnabled(): boolean {
    return this.env.role !== 'api';
  }

  override async onApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await super.onApplicationShutdown();
  }

  protected async run(): Promise<void> {
    for (const { id } of await listWorkspaces(this.work)) {
      if (this.stop.signal.aborted) return;
      await this.scan(id);
    }
  }

  /**
   * Compares the entities of a workspace from where the last scan ended, and rests between batches.
   * @returns the number of new proposals.
   */
  async scan(workspace: string): Promise<number> {
    let proposed = 0;
    while (!this.stop.signal.aborted) {
      const startedAt = performance.now();
      const batch = await this.work.run(workspace, tx => this.scanBatch(tx));
      proposed += batch.proposed;
      if (batch.isLast) break;
      await pause(computeRestMs(performance.now() - startedAt, WORKING_SHARE), this.stop.signal);
    }
    return proposed;
  }

  private async scanBatch(tx: Tx): Promise<{ proposed: number; isLast: boolean }> {
    const scan = await takeScan(tx);
    if (!scan) return { proposed: 0, isLast: true };
    const next = await readScanPage(tx, scan.afterId, BATCH_SIZE);
    const starts = next.length === 0 && scan.isDue;
    const ids = starts ? await readScanPage(tx, FIRST_ID, BATCH_SIZE) : next;
    if (ids.length > 0) await saveScan(tx, ids.at(-1)!, starts);
    return { proposed: await proposeLikenesses(tx, ids), isLast: ids.length < BATCH_SIZE };
  }
}

async function proposeLikenesses(tx: Tx, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const pairs = await findCandidates(tx, ids);
  const sides = await readLikenessSides(tx, [...new Set(pairs.flatMap(({ one, other }) => [one, other]))]);
  const found = await flatMapYielding(pairs, ({ one, other }) => {
    const [side, otherSide] = [sides.get(one), sides.get(other)];
    if (!side || !otherSide) return [];
    const { score, parts, isProposed } = computeLikeness(side, otherSide);
    return isProposed ? [{ entityId: one, otherId: other, value: describeLikeness(parts), score, parts }] : [];
  });
  return insertLikenesses(tx, found);
}
