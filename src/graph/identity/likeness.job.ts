import { Inject, Injectable } from '@nestjs/common';
import { computeLikeness, describeLikeness } from '#domain/identity/likeness.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import { listWorkspaces } from '#kernel/workspaces/workspaces.repository.js';
import { FIRST_ID, findCandidates, readLikenessSides, readScanPage, saveScan, takeScan } from './likeness.queries.js';
import { insertLikenesses } from './proposals.queries.js';

const INTERVAL_MS = 5 * 60_000;
/** Number of entities that are compared in one transaction. */
const BATCH_SIZE = 200;

/**
 * Compares entities by likeness in the background and proposes to merge those that are like each other. It never merges.
 * Ids sort by the time of creation, so a scan goes on where the last one ended and finds what is new; once a day it
 * begins again for what has changed.
 */
@Injectable()
export class LikenessJob extends PeriodicTask {
  private stopping = false;

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
    this.stopping = true;
    await super.onApplicationShutdown();
  }

  protected async run(): Promise<void> {
    for (const { id } of await listWorkspaces(this.work)) {
      if (this.stopping) return;
      await this.scan(id);
    }
  }

  /** Compares the entities of a workspace from where the last scan ended. @returns the number of new proposals. */
  async scan(workspace: string): Promise<number> {
    let proposed = 0;
    while (!this.stopping) {
      const batch = await this.work.run(workspace, tx => this.scanBatch(tx));
      proposed += batch.proposed;
      if (batch.isLast) break;
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
  const found = pairs.flatMap(({ one, other }) => {
    const [side, otherSide] = [sides.get(one), sides.get(other)];
    if (!side || !otherSide) return [];
    const { score, parts, isProposed } = computeLikeness(side, otherSide);
    return isProposed ? [{ entityId: one, otherId: other, value: describeLikeness(parts), score, parts }] : [];
  });
  return insertLikenesses(tx, found);
}
