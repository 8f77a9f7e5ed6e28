import { Injectable } from '@nestjs/common';
import type { Cluster } from '#domain/identity/clusters.js';
import { activityOf } from '#domain/observation/activity.js';
import { MAX_BATCH } from '#domain/observation/observation.js';
import type { Tx } from '#kernel/db/transaction.js';
import { type KeptClaim, replaceStates } from '../claims/claims.queries.js';
import { ClaimsService } from '../claims/claims.service.js';
import { replaceDerived, settleCompanies } from '../identity/regrouping.queries.js';
import { additionsOf } from './claim-additions.js';
import { readClock, readLog } from './observations.queries.js';

/** Folds whole clusters anew, after entities were joined or parted. They must be locked. */
@Injectable()
export class ClusterFolder {
  constructor(private readonly claims: ClaimsService) {}

  /** Replaces the claims of all members, and the names, companies and activity that entities have by them. */
  async fold(tx: Tx, clusters: readonly Cluster[]): Promise<void> {
    const horizon = (await readClock(tx)) + MAX_BATCH;
    const folded: KeptClaim[] = [];
    const derived: Parameters<typeof replaceDerived>[1][number][] = [];
    for (const [canonicalId] of clusters) {
      const log = await readLog(tx, canonicalId!, {});
      const additions = additionsOf(log.map(row => ({ ...row, clusterId: canonicalId! })));
      const own = additions.map(addition => this.claims.foldAnew(tx.workspace, addition, horizon));
      const name = this.claims.namesAmong(own, [], horizon).get(canonicalId!) ?? null;
      derived.push({ id: canonicalId!, name, ...activityOf(log, horizon) });
      folded.push(...own);
    }
    await replaceStates(tx, clusters.flat(), folded);
    await replaceDerived(tx, derived);
    await settleCompanies(tx, clusters);
  }
}
